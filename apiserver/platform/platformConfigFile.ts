import { readFile } from 'node:fs/promises'
import type { ConfigFile } from '../platformConfig/platformConfig.ts'
import { cannotRead } from '../runtime/startError.ts'

/** Reads the configuration file given at start. @throws StartError */
export async function readPlatformConfigFile(
  path: string | undefined,
): Promise<ConfigFile | undefined> {
  if (path === undefined) return undefined
  try {
    return { path, contents: await readFile(path) }
  } catch (error) {
    throw cannotRead(`the platform configuration ${path}`, error)
  }
}
