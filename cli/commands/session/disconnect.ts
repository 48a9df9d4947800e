import type { Call } from '../../base/commandSpec.ts'
import { CliError } from '../../base/cliError.ts'
import { changeSettings, readSettings } from '../../context/settings.ts'
import { changeKubeconfig, kubeconfigPath } from '../../kubeconfig/kubeconfigFile.ts'

/** Restores the kubeconfig context from before `use`; with `--all`, removes every context that `use` wrote. */
export async function disconnect(call: Call): Promise<void> {
  const { flags, terminal, program } = call
  const path = kubeconfigPath(call)
  const previous = (await readSettings(call)).previousKubeContexts?.[path]
  const prefix = `${program.name}_`
  let left = ''
  let removed: string[] = []
  await changeKubeconfig(path, (config) => {
    const { current = '' } = config
    const own = config.contexts.filter((name) => name.startsWith(prefix))
    if (!own.includes(current) && !flags.is('all')) {
      const hint = current === '' ? '' : `The current context is ${current}.`
      throw new CliError(
        `the current context of ${path} was not written by "$program use"`.replace(
          '$program',
          program.called,
        ),
        { hint },
      )
    }
    left = current
    removed = flags.is('all') ? own : flags.is('delete') ? [current] : []
    for (const name of removed) config.delete(name)
    if (own.includes(current)) config.use(previous)
  })
  await changeSettings(call, (settings) => {
    const { [path]: _, ...others } = settings.previousKubeContexts ?? {}
    settings.previousKubeContexts = others
  })
  const what = removed.length === 0 ? '' : ` Removed ${removed.join(', ')}.`
  terminal.say(
    `Disconnected from ${left || 'all'}; the context is ${previous ?? 'unset'} again.${what}`,
  )
}
