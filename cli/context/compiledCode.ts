import module from 'node:module'
import { join } from 'node:path'
import { programAt } from '../base/program.ts'
import { cacheFolder } from './folders.ts'

/** Compile cache of Node 22.1 and newer. */
interface CodeCache {
  enableCompileCache?: (folder: string) => unknown
}

/**
 * Caches the compiled code of the program for later starts, in the user's own cache folder: the temporary folder is
 * shared with other users, who could plant their code there.
 */
export function keepCompiledCode({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): void {
  const { enableCompileCache } = module as CodeCache
  // The user may have chosen a folder, or none.
  if (enableCompileCache === undefined || env['NODE_COMPILE_CACHE']) return
  try {
    enableCompileCache(join(cacheFolder({ program: programAt(argv[1] ?? ''), env }), 'code'))
  } catch {
    // Without a home folder, the code is compiled at each start.
  }
}
