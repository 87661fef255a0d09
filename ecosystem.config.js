// The five processes under PM2. `npm start` uses this file; `npx pm2 start ecosystem.config.js` works as typed.
// What each option is there for is told in docs/decisions/0005-supervision.md.
const { existsSync } = require('node:fs');
const path = require('node:path');
const { apiInstancesOf } = require('./shared/api-instances/index.cjs');

const environmentFile = path.join(__dirname, '.env');
if (existsSync(environmentFile)) process.loadEnvFile(environmentFile);

// PM2 keeps the environment of an app from its first start: naming ours here makes a later start bring the new values.
const settings = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SIM_')));

// What is refused is left to the process, which says why: docs/decisions/0044-several-instances-behind-one-port.md.
const answer = apiInstancesOf(settings);
const instances = 'instances' in answer ? answer.instances : 1;

/** @param {string} name of the folder in services/ */
const app = (name) => ({
  name,
  namespace: 'parley',
  // Relative: PM2 gives a script with a space in its path to a shell, and a checkout may lie anywhere.
  script: `services/${name}/dist/service.cjs`,
  cwd: __dirname,
  ...(name === 'session-api' && instances > 1 ? { exec_mode: 'cluster', instances } : { exec_mode: 'fork' }),
  env: { NODE_ENV: 'production', ...settings },

  // A process says that it is ready when it listens; a migration with its backup may take a while before that.
  wait_ready: true,
  listen_timeout: 60_000,
  // A process stops by itself within 12 seconds: running turns end, sockets close, the database closes.
  kill_timeout: 14_000,
  shutdown_with_message: process.platform === 'win32',

  // A killed process is back at once, one that dies again and again ever later, and one that only a person can mend
  // (exit code 78: a wrong variable, a taken port, an unwritable folder) is left alone.
  exp_backoff_restart_delay: 100,
  max_restarts: 1_000_000,
  stop_exit_codes: [78],

  // Logs are the processes' own files with owner-only rights; PM2's would be readable by every user of the machine.
  out_file: '/dev/null',
  error_file: '/dev/null',
  merge_logs: true,

  // Nothing of PM2's monitoring is loaded into the processes.
  pmx: false,
  vizion: false,
  disable_source_map_support: true,
});

module.exports = {
  apps: ['pack-service', 'runtime-gateway', 'session-api', 'debrief-worker', 'ui'].map(app),
};
