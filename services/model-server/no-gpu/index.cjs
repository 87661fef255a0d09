/** What node-llama-cpp asks such a package for: the folder of its libraries. There is none. */
module.exports = { getBinsDir: () => ({ binsDir: null, packageVersion: null }) };
