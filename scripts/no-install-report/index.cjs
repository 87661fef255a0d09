/**
 * Spectral depends on a package whose install script tells its vendor who installs what. npm installs this one in its place
 * (package.json, "overrides"); nothing ever loads it.
 */
module.exports = {};
