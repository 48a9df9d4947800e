import { access, constants, stat } from 'node:fs/promises'
import { settings } from '../command/config/settings.ts'
import { messageOf } from '../meta/messageOf.ts'
import { failed, fine, type Finding } from '../runtime/finding.ts'
import { isObject } from '../meta/json/isObject.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { systemReason } from '../runtime/systemReason.ts'

/** Settings that name files written by the server, which creates their folders. */
const written = new Set(['kubeconfigOut'])

/** Checks that each file named by a setting can be read. */
export async function checkFiles(options: ServerOptions): Promise<Finding[]> {
  const named = settings.flatMap(({ option, flag, placeholder }) => {
    const value =
      placeholder === 'FILE' && !written.has(option) ? valueAt(options, option) : undefined
    return typeof value === 'string' ? [{ flag, path: value }] : []
  })
  return Promise.all(named.map(checkFile))
}

function valueAt(options: ServerOptions, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, key) => (isObject(inside) ? inside[key] : undefined), options)
}

async function checkFile({ flag, path }: { flag: string; path: string }): Promise<Finding> {
  try {
    await access(path, constants.R_OK)
    if ((await stat(path)).isDirectory()) throw new Error('it is a folder')
    return fine('files', `${path} of --${flag} can be read`)
  } catch (error) {
    const why = systemReason(error) ?? messageOf(error)
    return failed(
      'files',
      `${path} of --${flag} cannot be read: ${why}`,
      `correct --${flag}, or let the user of the server read the file`,
    )
  }
}
