import type { Case } from './case.ts';

/** Answers at the end, or in the middle, of reasoning. */
export const reasoning: readonly Case[] = [
  [
    'cities',
    'Let me think step by step.\n\nThe question asks for the city on the Tiber. Paris lies on the Seine, so A is out. London lies on the Thames, which rules out B. Madrid lies on the Manzanares (C). Rome lies on the Tiber.\n\nHence the city is Rome.',
    'D',
  ],
  [
    'cities',
    '<think>\nMaybe A? The Seine... no. B is London. Hmm, I would say A at first. But the Tiber runs through Rome. So D.\n</think>\n\nThe Tiber flows through Rome.\n\n**D**',
    'D',
  ],
  [
    'enzymes',
    '### Analysis\n\n- **A**: Product inhibition is described in the second paragraph, but not asked for.\n- **B**: The text says the ligand binds "away from the active site". This matches.\n- **C**: Reversibility is not mentioned.\n- **D**: Heat is not mentioned.\n\n### Conclusion\n\nOption **B** is supported by the text.',
    'B',
  ],
  [
    'enzymes',
    'Going through each:\n\nA. The enzyme is inhibited by its product - this could be, but the graph shows otherwise.\nB. The substrate binds outside the active site - contradicts the figure.\nC. The reaction is not reversible - the arrow goes one way, so this holds.\nD. The enzyme changes shape when heated - no temperature is given.\n\nTherefore, the best answer is C.',
    'C',
  ],
  [
    'diabetes drugs',
    "The patient's eGFR is 25. Metformin (A) is contraindicated. Glipizide (D) risks hypoglycemia. Sitagliptin (C) may be used with a dose change, yet gives no cardiac benefit. Insulin glargine (B) is not the first choice. This leaves empagliflozin, option E.",
    'E',
  ],
  ['apples', 'Let x be the number of apples. Then 2x + 6 = 36.\n2x = 30\nx = 15\n\n$\\boxed{15}$', 'B'],
  [
    'apples',
    'Step 1: 3 crates hold 4 each, giving 12.\nStep 2: add 6, giving 18.\nStep 3: check: 18 - 6 = 12.\n\nSo the answer is $\\boxed{\\textbf{(C)}\\ 18}$.',
    'C',
  ],
  [
    'ten weathers',
    "We need to decide between E and H. Fog reduces visibility below 1 km, mist does not. The visibility here is 2 km. So it's mist, that's H.",
    'H',
  ],
  [
    'ten weathers',
    'Considering options one at a time. Rain: no. Snow: no. Hail: needs a thunderstorm. Thunder: a sound. The description "ice on grass at dawn" is frost.\n\nFinal: F',
    'F',
  ],
  [
    'cities',
    'Okay, so the user wants the capital of Spain. Barcelona is not listed. Madrid is listed as C. I am confident.\n\nAnswer: **C**',
    'C',
  ],
  ['cities', 'Thus answer is B. But check: London is the capital of the UK. Yes. So final answer B.', 'B'],
  [
    'enzymes',
    'Reasoning: The figure shows that adding product slows the reaction. That is feedback inhibition, as in A. One may argue for D, since shape changes matter, but nothing was heated. Thus A remains the only defensible choice.',
    'A',
  ],
  [
    'cities',
    "Let's analyze each option carefully:\n\n1. A (Paris) is the capital of France.\n2. B (London) is the capital of the UK.\n3. C (Madrid) is the capital of Spain.\n4. D (Rome) is the capital of Italy.\n\nThe question asks about Italy, so the right choice is D.",
    'D',
  ],
  [
    'diabetes drugs',
    'Differential: weight gain with D and B; none with A. GI upset with A. The question says "weight neutral and oral, no GI upset, no genital infections" — C fits all four criteria while E fails the last. → C',
    'C',
  ],
  [
    'enzymes',
    '**Step 1** - Identify the topic: enzyme kinetics.\n**Step 2** - Eliminate: B and D are not supported.\n**Step 3** - Compare A and C: A is supported by the last sentence, C is not.\n\n**Answer: A**',
    'A',
  ],
  [
    'cities',
    'Looking at this problem, the hint "Big Ben" is decisive. I was tempted by A because of the Eiffel Tower, yet Big Ben stands in London. My answer is therefore B.',
    'B',
  ],
  [
    'rocks by digit',
    'Marble forms from limestone, chalk is a limestone itself, slate forms from shale. The question: which one forms from shale? 4.',
    '4',
  ],
  [
    'rocks by digit',
    'There are 3 reasons. 1. Granite is igneous. 2. Marble is metamorphic. 3. Chalk is sedimentary.\n\nThe igneous rock is option 1.',
    '1',
  ],
  [
    'rocks by digit',
    'The steps are:\n1. read the question\n2. drop slate, since it splits\n3. drop chalk, since it is soft\n\nAnswer: 2',
    '2',
  ],
  [
    'cities',
    'The correct answer is B) London.\n\nHere is why the others are wrong:\nA) Paris - the capital of France.\nC) Madrid - the capital of Spain.\nD) Rome - the capital of Italy.',
    'B',
  ],
  [
    'cities, several right',
    'Two cities qualify. Paris lies on the Seine and hosted the games in 1924; London hosted in 1948. Madrid never hosted. Rome hosted in 1960 but is excluded by the date.\n\nThus the correct options are A and B.',
    'A,B',
  ],
  [
    'cities',
    'Thinking Process:\n1. Identify: city in Italy.\n2. Options: A Paris, B London, C Madrid, D Rome.\n3. Match: Rome -> D.\n\nRome',
    'D',
  ],
  [
    'sodium steps',
    '**Assessment**\n\nNa 152, K 3.6, glucose 180. TPN day 5.\n\n**Options**\n\n* A - potassium is normal, no need.\n* B - stopping TPN abruptly risks hypoglycemia.\n* C - reasonable, but changes nothing today.\n* D - protein is at goal already.\n* E - no surgical issue.\n\n**Decision**: C',
    'C',
  ],
  [
    'gases',
    'Q: which gas is the heaviest?\n\nLooking at atomic masses:\n- Neon: 20\n- Argon: 40\n- Xenon: 131\n- Helium: 4\n\nThe heaviest is xenon, so I choose C.',
    'C',
  ],
  [
    'gases',
    'Looking at atomic masses:\n- Neon: 20\n- Argon: 40\n- Xenon: 131\n- Helium: 4\n\nThe heaviest is xenon.',
    'C',
  ],
  [
    'gases',
    '1. Neon has mass 20.\n2. Argon has mass 40.\n3. Xenon has mass 131.\n4. Helium has mass 4.\n\nTherefore the lightest one is number 4, helium.',
    'D',
  ],
  [
    'gases',
    "Option A: Neon is used in signs. It doesn't fit.\nOption B: Argon is used in welding. This fits the description.\nOption C: Xenon is used in lamps. Doesn't fit.\nOption D: Helium is used in balloons. Doesn't fit.",
    'B',
  ],
  [
    'gases',
    'A (Neon): possible, but signs are not mentioned.\nB (Argon): the shielding gas in welding - strong match.\nC (Xenon): too costly.\nD (Helium): possible.\n\nOverall: B',
    'B',
  ],
  [
    'gases, several right',
    'Let me evaluate each one.\n\nNeon - glows red in tubes: applies.\nArgon - welding: does not apply.\nXenon - anaesthetic: applies.\nHelium - balloons: does not apply.\n\nFinal selection: A, C',
    'A,C',
  ],
  [
    'sodium steps, several right',
    'In this case several measures are needed.\n\n1. **Stop the infusion** - it is the cause.\n2. **Recheck the sodium in 4 hours** - to guide therapy.\n\nThe remaining options are not indicated.',
    'B,C',
  ],
  ['sodium steps, several right', 'Selected: B, C\nRejected: A, D, E', 'B,C'],
  ['sodium steps, several right', 'Rejected: A, D, E\nSelected: B, C', 'B,C'],
  [
    'gases',
    'The question tests boiling points. Helium boils at 4 K, neon at 27 K, argon at 87 K, xenon at 165 K. The highest boiling point therefore belongs to xenon.\n\n**C**',
    'C',
  ],
  [
    'gases',
    'We are asked for the gas with the lowest boiling point.\nHelium < Neon < Argon < Xenon.\n\nANSWER: D\n\nCONFIDENCE: 95',
    'D',
  ],
  [
    'ten trees',
    'Let me go through A to J quickly. A oak - acorns. B elm - disease. C ash - keys. D fir - cones. E yew - berries. F larch - deciduous conifer. G beech - mast. H birch - bark. I maple - syrup. J poplar - fluff.\n\nDeciduous conifer => F.',
    'F',
  ],
  [
    'statements I to III',
    'Evaluate:\nI. True, since the sum is even.\nII. False, as 2 is prime.\nIII. True by definition.\n\nSo I and III are true, which is choice C.',
    'C',
  ],
  [
    'mammals',
    'A is false because only monotremes lay eggs. C is false because bats do fly. B is true: whales nurse their calves. So B, and D falls away.',
    'B',
  ],
  [
    'the false statement',
    'A. True.\nB. True.\nC. False - arteries have a muscular media.\nD. True.\n\nThe answer is C.',
    'C',
  ],
  ['the false statement', 'A. True.\nB. True.\nC. False - arteries have a muscular media.\nD. True.', null],
  [
    'planets',
    "Let's think.\n\n1) Mercury: no atmosphere -> out.\n2) Venus: thick atmosphere -> matches.\n3) Mars: thin -> out.\n4) Jupiter, Saturn: gas giants -> out.\n\nSo: Venus.",
    'B',
  ],
  [
    'planets',
    'First, rule out the gas giants D and E. Next, A has no atmosphere. Between B and C, the runaway greenhouse effect is typical of B. I am going with B.',
    'B',
  ],
  [
    'planets',
    '<think>D or E? The rings... E. But "largest" means D.</think>\nJupiter is the largest planet.\n\n\\[\\boxed{D}\\]',
    'D',
  ],
  [
    'planets',
    'Analysis of the choices:\n(A) Mercury: smallest.\n(B) Venus: hottest.\n(C) Mars: red.\n(D) Jupiter: largest.\n(E) Saturn: rings.\n\nThe stem says "hottest", which matches (B).',
    'B',
  ],
  [
    'planets',
    'Step 1. Which planets have rings? All gas giants do, but prominent ones: Saturn.\nStep 2. Check the moon: Titan orbits Saturn.\nStep 3. Conclude.\n\nE',
    'E',
  ],
  [
    'feeding',
    '**Why not the others?**\n- B: line infection makes PN risky.\n- C: starvation is harmful.\n- D: INR is normal.\n\n**Best answer: A** – the gut is functional.',
    'A',
  ],
  [
    'feeding',
    'Considering A: feasible. Considering B: unnecessary. Considering C: harmful. Considering D: irrelevant. => A',
    'A',
  ],
  [
    'planets, several right',
    'Which planets lie inside the orbit of Earth?\n\nMercury – yes.\nVenus – yes.\nMars – no.\nJupiter – no.\nSaturn – no.',
    'A,B',
  ],
  [
    'planets, several right',
    '- Mercury (A): rocky, so it counts.\n- Venus (B): rocky, so it counts.\n- Mars (C): rocky, so it counts.\n- Jupiter (D): gas.\n- Saturn (E): gas.\n\nAnswer: A, B, and C',
    'A,B,C',
  ],
  ['planets, several right', 'D and E are gas giants; the question asks for gas giants. D, E.', 'D,E'],
  [
    'diagnoses',
    'Key findings: fever 39.1, chills 30 min after flushing.\n\nA would show low phosphate. B and C would show skin changes. E would show raised enzymes without fever.\n\nTherefore the diagnosis that fits best is D.',
    'D',
  ],
  [
    'diagnoses',
    "Let me consider what could cause a phosphate of 0.9 on day 2.\n\nRefeeding: yes, insulin drives phosphate into cells.\nInfection: no fever.\nSteatosis: too early.\n\nI'm confident in A.",
    'A',
  ],
  [
    'diagnoses',
    '## Differential\n| Dx | For | Against |\n|---|---|---|\n| Refeeding syndrome | low K, low P | none |\n| Zinc deficiency | none | no rash |\n\n## Conclusion\nRefeeding syndrome',
    'A',
  ],
  ['small sums', '<think>8? 10? I get 10.</think>Counting the edges: 4 + 4 + 2 = 10.\n\nAnswer: C', 'C'],
  ['instruments', 'Reed? Yes, double. Which of the four has one? The oboe.\n\nFinal answer: **D**.', 'D'],
  ['instruments', 'A and B have strings; C has no reed; that leaves only D.', 'D'],
  [
    'fruits',
    '<think>Okay. Bananas are berries botanically. Apples are pomes. So B.\nBut wait, dates are drupes...</think>\n\nBotanically, the berry on the list is the **banana**.\n\n**Answer: B**',
    'B',
  ],
  [
    'glucose steps',
    '1. Calculate GIR: 7 mg/kg/min.\n2. Target: 4-5 mg/kg/min.\n3. Therefore: reduce.\n\nFinal Answer: A',
    'A',
  ],
  [
    'glucose steps',
    'GIR is too high → reduce it. Lipids at 3 g/kg/day exceed the limit → not D. A peripheral line cannot carry this osmolarity → not C. → Choose A over B.',
    'A',
  ],
  [
    'glucose steps',
    "Let's go over the choices.\n\nA) would lower the glucose load. Good.\nB) would work but adds risk.\nC) is not possible at this osmolarity.\nD) would exceed the limit.\n\nSo the best choice is A) Reduce the dextrose to 4 mg/kg/min.",
    'A',
  ],
  [
    'glucose steps, several right',
    'A reduces the load, B treats hyperglycemia; both are acceptable. C is impossible and D excessive.\n\nAnswer: A, B',
    'A,B',
  ],
  [
    'glucose steps, several right',
    '**Correct:** A and B\n**Incorrect:** C (osmolarity), D (exceeds 2.5 g/kg/day)',
    'A,B',
  ],
  ['vehicles', 'Clue 1: wheels. That rules out C. Clue 2: rails. That rules out A and D. What remains is B.', 'B'],
  ['vehicles', 'Speed: D > B > A > C. The question asks for the fastest.\n\nD', 'D'],
  [
    'vehicles',
    'Let us test A: a car needs roads. No roads here. Test B: needs rails. None. Test C: needs water. There is a lake. C works.',
    'C',
  ],
  ['vehicles, one right', 'Reasoning: The sign shows wings. Cars, trains and ships have none.\nAnswer: D', 'D'],
];
