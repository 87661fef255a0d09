/**
 * PM2 asks its vendor's host for a newer version on the first start in a home and once a day. `npm start` switches that
 * off by the environment; `npx pm2 start ecosystem.config.js`, typed by a person, cannot. npm installs this package in
 * the place of the one that makes the call (package.json, "overrides"), so that no call is made either way.
 */
module.exports = { runCheck: () => undefined };
