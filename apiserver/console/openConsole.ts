import type { IncomingHttpHeaders } from 'node:http'
import type { Plane } from '../endpoints/exchange.ts'
import { ConsoleFiles } from './consoleFiles.ts'
import { isConsolePath, redirectOf } from './consolePaths.ts'
import { consolePlane, type ConsoleServices } from './consolePlane.ts'

interface ConsoleOptions {
  /** True if the console is served, provided that it was built. */
  isOn: boolean
  /** Folder of the built console. Undefined: next to the program. */
  folder: URL | undefined
  uiSettings: ConsoleServices['uiSettings']
}

/**
 * Finds the console's plane for a request; undefined: the request is not for the console, or the
 * console was not built.
 */
export function openConsole(
  management: Pick<Plane, 'resources' | 'storeOf'>,
  { isOn, folder, uiSettings }: ConsoleOptions,
): (path: string, headers: IncomingHttpHeaders) => Plane | undefined {
  if (!isOn) return () => undefined
  const files = new ConsoleFiles(folder)
  const plane = consolePlane(management, { files, uiSettings })
  return (path, headers) => {
    // API paths are recognized by their first letters, since they are the most frequent.
    if (path.startsWith('/api')) return undefined
    const isMeant = isConsolePath(path) || redirectOf(path, headers) !== undefined
    return isMeant && files.isBuilt ? plane : undefined
  }
}
