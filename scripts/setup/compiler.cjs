const { spawnSync } = require('node:child_process');

/** The C++ compiler that building the SQLite driver would use, or null. */
function findCompiler() {
  if (process.platform === 'win32') {
    const found = spawnSync('where', ['cl.exe', 'MSBuild.exe'], { encoding: 'utf8', windowsHide: true });
    return found.stdout?.split('\n')[0]?.trim() || null;
  }
  for (const name of ['g++', 'c++', 'clang++'])
    if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return name;
  return null;
}

/** One sentence for this system. */
function howToGetACompiler() {
  if (process.platform === 'darwin') return 'Install one with: xcode-select --install, then run npm start again.';
  if (process.platform === 'win32')
    return 'Install "Visual Studio Build Tools" with the C++ workload and Python 3, then run npm start again.';
  return (
    'Install one (Debian, Ubuntu: sudo apt-get install build-essential python3; Fedora: sudo dnf install gcc-c++ make ' +
    'python3; Alpine: apk add build-base python3), then run npm start again.'
  );
}

module.exports = { findCompiler, howToGetACompiler };
