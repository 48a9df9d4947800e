/**
 * Entry for `require`, which loads the server when it is first started. Test runners with a module system of their own
 * refuse ES modules, in `require` and in `import()`; for them, a script in Node's own context imports it.
 */
export const commonJsEntry = `'use strict'
let server
exports.startServer = async (...args) => {
  server ??= await load()
  return server.startServer(...args)
}
function load() {
  try {
    return require('./server.js')
  } catch (error) {
    if (!/ES Module/i.test(String(error))) throw error
  }
  const { pathToFileURL } = require('node:url')
  const { Script, constants } = require('node:vm')
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const importUrl = new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()
  return importUrl(pathToFileURL(__dirname + '/server.js').href)
}
`

/** Types of the CommonJS entry. */
export const commonJsTypes = `import type * as server from './server.js' with { 'resolution-mode': 'import' }
export declare const startServer: typeof server.startServer
export type GivenServerOptions = server.GivenServerOptions
export type HistoryOptions = server.HistoryOptions
export type LogLevel = server.LogLevel
export type RunningServer = server.RunningServer
export type Surroundings = server.Surroundings
`
