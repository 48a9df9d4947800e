import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'

/** The program under the name that it was called by, which is the platform's word of the names profile. */
export interface Program {
  /** `platform`: names files, environment variables and keychain entries. */
  name: string
  /** Words by which the user calls it: `platform` or `kubectl platform`. */
  called: string
  /** Absolute path of the file that was called, with symbolic links. */
  path: string
}

const pluginPrefix = /^kubectl[-_](complete-)?/

/**
 * The program of a path. A link to it, or a copy, with another name has that name: `ln -s platform acme`, or
 * `kubectl-acme` for `kubectl acme`.
 */
export function programAt(path: string): Program {
  const file = basename(path).replace(/\.(m?[jt]s|exe|cmd)$/, '')
  const isPlugin = pluginPrefix.test(file)
  const bare = file.replace(pluginPrefix, '')
  const name = bare === 'main' || bare === '' ? defaultNames.platform : bare
  return { name, called: isPlugin ? `kubectl ${name}` : name, path }
}

/** Reports whether kubectl asks its plugin for completions. */
export function isPluginCompletion(path: string): boolean {
  return basename(path).startsWith('kubectl_complete-')
}

/**
 * The value of a variable such as `URL`: `<NAME>_URL` of the program's name, otherwise `PLATFORM_URL`. An empty value
 * counts as unset.
 */
export function variable(
  { name }: Program,
  env: Readonly<Record<string, string | undefined>>,
  suffix: string,
): string | undefined {
  const own = `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_${suffix}`
  return env[own] || env[`${defaultNames.platform.toUpperCase()}_${suffix}`] || undefined
}

/** Answer to `--version`. */
export function versionLine({ name }: Program): string {
  return `${name} ${programVersion()}`
}

/** The version in package.json, found above this file in the sources and above a chunk in `dist/`. */
export function programVersion(): string {
  let folder = new URL('.', import.meta.url)
  for (let level = 0; level < 5; level++) {
    const version = versionIn(new URL('package.json', folder))
    if (version !== undefined) return version
    folder = new URL('..', folder)
  }
  return 'unknown'
}

function versionIn(file: URL): string | undefined {
  try {
    // Sound: fields of another shape are not used.
    const { name, version } = JSON.parse(readFileSync(fileURLToPath(file), 'utf8')) as {
      name?: unknown
      version?: unknown
    }
    return typeof name === 'string' && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
