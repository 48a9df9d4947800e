import {
  chmod,
  lstat,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { StartError } from '../../runtime/startError.ts'
import { isMissing } from '../../runtime/systemReason.ts'

/** Programs started by the executables. */
export interface AssetPrograms {
  /** The runtime with its options. */
  node: readonly string[]
  /** Path of this program's entry point. */
  main: string
  /** Path of the entry point of the etcd substitute. */
  etcd: string
}

/** First line of the executables written here. */
const mark = '# Written by platform-apiserver envtest.'

/**
 * Writes `kube-apiserver`, `etcd` and `kubectl` into a folder, which is created if missing. Returns the target of
 * kubectl, if any. @throws StartError for files of other programs, which are not changed.
 */
export async function writeAssets(
  folder: string,
  programs: AssetPrograms,
  path: string,
): Promise<{ kubectl: string | undefined }> {
  const dir = resolve(folder)
  await mkdir(dir, { recursive: true })
  for (const name of ['kube-apiserver', 'etcd', 'kubectl']) await refuseForeign(join(dir, name))
  const { node, main, etcd } = programs
  await writeScript(
    join(dir, 'kube-apiserver'),
    `exec ${quoted([...node, main])} kube-apiserver "$@"`,
  )
  await writeScript(join(dir, 'etcd'), `exec ${quoted([...node, etcd])} "$@"`)
  const kubectl = findProgram('kubectl', dir, path)
  const target = join(dir, 'kubectl')
  if (kubectl === undefined) await writeScript(target, `echo ${quoted([noKubectl])} >&2\nexit 1`)
  else {
    await rm(target, { force: true })
    await symlink(kubectl, target)
  }
  return { kubectl }
}

const noKubectl =
  'kubectl was not found when this folder was written: install kubectl and run platform-apiserver envtest again'

async function writeScript(file: string, body: string): Promise<void> {
  const temporary = `${file}.new`
  await writeFile(temporary, `#!/bin/sh\n${mark}\n${body}\n`)
  await chmod(temporary, 0o755)
  await rename(temporary, file)
}

/** Refuses to replace files that `writeAssets` did not write, such as the real programs. */
async function refuseForeign(file: string): Promise<void> {
  const found = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (found === undefined || (await isOwn(file, found.isSymbolicLink()))) return
  throw new StartError(`${file} exists and was not written by platform-apiserver envtest`)
}

async function isOwn(file: string, isLink: boolean): Promise<boolean> {
  // The only link written here is kubectl; any other link belongs to another tool.
  if (isLink) return file.endsWith('/kubectl') && (await readlink(file)) !== ''
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    return buffer.subarray(0, bytesRead).toString().split('\n')[1] === mark
  } finally {
    await handle.close()
  }
}

/** Path of a program outside of a folder; undefined: not on the search path. */
function findProgram(name: string, outside: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter((one) => one !== '' && resolve(one) !== outside)
  const found = folders.map((one) => join(resolve(one), name)).find(isExecutable)
  return found === undefined ? undefined : realpathSync(found)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Words quoted for a shell. */
function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}
