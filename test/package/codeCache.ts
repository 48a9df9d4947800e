import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const digestBytes = 32

/**
 * Invalid code caches derived from a valid one and its script, which a start must not use;
 * undefined: no file.
 */
export const badCodeCaches: Record<string, (whole: Buffer, script: Buffer) => Buffer | undefined> =
  {
    'is absent': () => undefined,
    'is shorter than its digest': (whole) => whole.subarray(0, digestBytes - 1),
    'is cut': (whole) => whole.subarray(0, -1),
    'has a changed bit': (whole) => withChangedByte(whole, whole.length >> 1),
    // Bytes 4 to 7 are the version of the engine.
    'is of another version of the engine': (whole, script) =>
      signed(withChangedByte(whole.subarray(digestBytes), 4), script),
    'is of another script of equal length': (whole, script) =>
      signed(whole.subarray(digestBytes), withChangedByte(script, script.length - 1)),
  }

/**
 * Starts the server of an installed package like its program, with storage in memory. Prints
 * whether it used the code cache, and which exports of the bundled modules are still unset when
 * modules loaded on demand copy them.
 */
export async function startedFromCache(folder: string): Promise<string> {
  const url = (path: string) => JSON.stringify(pathToFileURL(join(folder, path)).href)
  const program = `
    const { parts, usesCodeCache } = await import(${url('dist/chunks/serverScript.js')})
    const unset = Object.values(parts).flatMap((part) => Object.keys(part).filter((name) => part[name] === undefined))
    const { startServer } = await import(${url('dist/apiserver/server.js')})
    const server = await startServer({ storage: 'memory', securePort: 0 })
    await server.stop()
    console.log(usesCodeCache, 'undefined exports:', unset.join() || 'none')`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program])
  return stdout
}

function withChangedByte(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

function signed(code: Buffer, script: Buffer): Buffer {
  return Buffer.concat([createHash('sha256').update(script).update(code).digest(), code])
}
