/** Atoms of a made-up binding site: record, name, residue, chain, number, x, y, z, element. */
const ATOMS = `ATOM NE2 HIS A 41 12.071 8.344 -3.215 N
ATOM ND1 HIS A 44 10.482 10.117 -4.630 N
ATOM SG CYS A 57 13.226 10.905 -5.127 S
ATOM OD1 ASP A 63 9.204 6.118 -2.077 O
HETATM ZN ZN A 101 11.950 9.870 -4.480 ZN
HETATM O HOH A 201 11.120 8.240 -5.630 O
HETATM O HOH A 202 14.010 8.205 -6.420 O
HETATM O HOH A 203 12.730 12.310 -2.190 O
HETATM O HOH A 204 9.055 8.610 -5.090 O
HETATM O HOH A 205 15.170 9.120 -3.680 O
HETATM O HOH A 206 11.310 13.100 -5.610 O
HETATM O HOH A 207 14.660 11.970 -4.020 O
HETATM O HOH A 208 10.010 11.120 -1.870 O
HETATM O HOH A 209 13.480 7.350 -2.430 O
HETATM O HOH A 210 11.870 11.200 -7.480 O
HETATM O HOH A 211 8.420 9.930 -3.890 O
HETATM O HOH A 212 12.390 6.640 -4.910 O`;

/** A file in the columns of the Protein Data Bank. */
export function makeZincSite(): Buffer {
  const head = ['HEADER    MADE-UP BINDING SITE', 'REMARK   2 RESOLUTION.    1.80 ANGSTROMS.'];
  const atoms = ATOMS.split('\n').map((line, index) => {
    const [record = '', name = '', residue = '', chain = '', number = '', x = '', y = '', z = '', element = ''] =
      line.split(' ');
    // Names of one-letter elements begin in the second of four columns.
    const placed = element.length === 2 ? name.padEnd(4) : ` ${name}`.padEnd(4);
    return [
      record.padEnd(6),
      String(index + 1).padStart(5),
      ` ${placed} ${residue.padStart(3)} ${chain}${number.padStart(4)}    `,
      ...[x, y, z].map((place) => Number(place).toFixed(3).padStart(8)),
      '  1.00 20.00          ',
      element.padStart(2),
    ].join('');
  });
  return Buffer.from(`${[...head, ...atoms, 'END'].join('\n')}\n`);
}
