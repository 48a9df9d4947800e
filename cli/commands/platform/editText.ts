import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '../../base/commandSpec.ts'
import { CliError, usageError } from '../../base/cliError.ts'

/**
 * Opens a document in the editor of VISUAL or EDITOR and returns the result. Other users cannot
 * read the file.
 */
export async function editText(
  { env, terminal }: Pick<Call, 'env' | 'terminal'>,
  file: string,
  text: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'edit-'))
  try {
    const path = join(folder, file)
    await writeFile(path, text, { mode: 0o600 })
    const editor = env['VISUAL'] || env['EDITOR'] || 'vi'
    await terminal.lend(() => runEditor(editor, path, env))
    return await readFile(path, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Saves a document that could not be stored. @returns its file, which other users cannot read. */
export async function keepText(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'edited-')), 'config.yaml')
  await writeFile(path, text, { mode: 0o600 })
  return path
}

function runEditor(editor: string, path: string, env: Call['env']): Promise<void> {
  return new Promise((resolve, reject) => {
    // An editor may have flags: EDITOR="code --wait".
    const [program = '', ...args] = editor.split(' ').filter((word) => word !== '')
    const child = spawn(program, [...args, path], { stdio: 'inherit', env: { ...env } })
    child.once('error', () =>
      reject(usageError(`cannot run the editor "${editor}"`, 'Set EDITOR.')),
    )
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new CliError(`the editor ended with ${code}; nothing was saved`))
    })
  })
}
