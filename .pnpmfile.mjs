/** The viewer's file contains all that it depends on but React: the others would take 140 MB. */
export const hooks = {
  readPackage(manifest) {
    if (manifest.name === '@metrevals/inspect-log-viewer') {
      const { react, 'react-dom': dom } = manifest.dependencies;
      manifest.dependencies = { react, 'react-dom': dom };
    }
    return manifest;
  },
};
