import { spawn } from 'node:child_process'

/**
 * Opens a page in the user's browser, or in the program in BROWSER. Failures are ignored, since the address was
 * printed.
 */
export function openInBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [program = '', ...args] = [...openerOf(env), url]
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: { ...env } })
    child.once('error', () => resolve())
    child.once('spawn', () => resolve())
    child.unref()
  })
}

function openerOf({ BROWSER }: Readonly<Record<string, string | undefined>>): string[] {
  if (BROWSER) return BROWSER.split(' ')
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
