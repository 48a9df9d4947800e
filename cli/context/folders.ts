import { join } from 'node:path'
import type { Call } from '../base/commandSpec.ts'
import { homeFolder } from '../base/homeFolder.ts'
import { variable } from '../base/program.ts'

type Place = Pick<Call, 'program' | 'env'>

/** Settings folder: `<NAME>_HOME`, otherwise the system's default place. */
export function settingsFolder({ program, env }: Place): string {
  const given = variable(program, env, 'HOME')
  if (given !== undefined) return given
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], program.name)
  return join(env['XDG_CONFIG_HOME'] || join(homeFolder(), '.config'), program.name)
}

/** Folder of data that can be requested again. */
export function cacheFolder({ program, env }: Place): string {
  const given = variable(program, env, 'HOME')
  if (given !== undefined) return join(given, 'cache')
  if (process.platform === 'win32' && env['LOCALAPPDATA'])
    return join(env['LOCALAPPDATA'], program.name, 'cache')
  return join(env['XDG_CACHE_HOME'] || join(homeFolder(), '.cache'), program.name)
}
