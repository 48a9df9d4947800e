import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultNames } from '../../apiserver/meta/names/namesProfile.ts'

/** The program under the name by which it was called, by default the platform's name in the names profile. */
export interface Program {
  /** Name such as `platform`, used in names of files, environment variables and keychain entries. */
  name: string
  /** Words that call it: `platform` or `kubectl platform`. */
  called: string
  /** Absolute path of the called file, with symbolic links unresolved. */
  path: string
}

const pluginPrefix = /^kubectl[-_](complete-)?/

/**
 * Program at a path. A link or copy with another name has that name: `ln -s platform acme`, or `kubectl-acme` for
 * `kubectl acme`.
 */
export function programAt(path: string): Program {
  const file = basename(path).replace(/\.(m?[jt]s|exe|cmd)$/, '')
  const isPlugin = pluginPrefix.test(file)
  const bare = file.replace(pluginPrefix, '')
  const name = bare === 'main' || bare === '' ? defaultNames.platform : bare
  return { name, called: isPlugin ? `kubectl ${name}` : name, path }
}

/** Reports whether kubectl is asking its plugin for completions. */
export function isPluginCompletion(path: string): boolean {
  return basename(path).startsWith('kubectl_complete-')
}

/**
 * Value of a variable such as `URL`: `<NAME>_URL` with the program's name, otherwise `PLATFORM_URL`. An empty value
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

/** Output of `--version`. */
export function versionLine({ name }: Program): string {
  return `${name} ${programVersion()}`
}

/** Version in package.json, which is found above this file in the sources and above a chunk in `dist/`. */
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
    // Sound: fields of another shape are ignored.
    const { name, version } = JSON.parse(readFileSync(fileURLToPath(file), 'utf8')) as {
      name?: unknown
      version?: unknown
    }
    return typeof name === 'string' && typeof version === 'string' ? version : undefined
  } catch {
    return undefined
  }
}
