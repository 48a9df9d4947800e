import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Output } from '../support/command.ts'
import type { Scenario } from '../support/scenario.ts'
import type { CommandLineContext } from './commandLineContext.ts'

/** Client of kubeconfigs: reads and, if possible, writes with the current context. */
export interface KubeClient {
  name: string
  /** Reason why it cannot run; undefined: it can. */
  missing?: string
  /** Lifetime of credentials that expire during a flow: longer than a command takes. */
  ttlSeconds: number
  /** Command line for the API of any cluster. It runs in turns, numbered from 1. */
  command: (context: CommandLineContext, turn: number) => string[]
}

/** Uses a context beyond the expiry of its credential, with any client. */
export function contextFlows(kube: KubeClient): Scenario<CommandLineContext>[] {
  const skip = () => kube.missing
  const home = kube.name.replaceAll(/\W/g, '-')
  let turn = 0
  const works = async (context: CommandLineContext): Promise<void> => {
    const { code, stdout, stderr } = await run(context)
    expect(code, stdout + stderr).to.equal(0)
  }
  const run = (context: CommandLineContext): Promise<Output> =>
    context.run(kube.command(context, ++turn), { home })

  return [
    {
      name: `${kube.name} goes on with a context over a rotation of the key`,
      skip,
      run: async (context) => {
        const key = await context.word(`create accesskey ${home}-${++turn}`)
        await context.login(home, key)
        await context.check({ line: 'use cluster one' }, home)
        await works(context)
        await context.check({ line: 'rotate accesskey' }, home)
        await expectRefused(context, key)
        await works(context)
      },
    },
    {
      name: `${kube.name} goes on with a context over the end of its token`,
      skip,
      run: async (context) => {
        await context.check({ line: `use cluster one --direct --ttl ${kube.ttlSeconds}` }, home)
        await works(context)
        await sleep(kube.ttlSeconds * 1000)
        await works(context)
      },
    },
    {
      name: `${kube.name} goes on with a context over the end of its client certificate`,
      skip,
      run: async (context) => {
        const flags = `--client-certificate --ttl ${kube.ttlSeconds}`
        await context.check({ line: `use virtualcluster web -p shop ${flags}` }, home)
        await works(context)
        await sleep(kube.ttlSeconds * 1000)
        await works(context)
      },
    },
    {
      name: `${kube.name} says why a context does not work after the logout`,
      skip,
      run: async (context) => {
        await context.check({ line: 'logout' }, home)
        const { code, stderr } = await run(context)
        expect([code, stderr.includes('you are logged out of "test"')], stderr).to.deep.equal([
          1,
          true,
        ])
      },
    },
  ]
}

/** The old value of a rotated key is invalid. */
async function expectRefused(context: CommandLineContext, key: string): Promise<void> {
  const { program } = context.profile
  const name = program.toUpperCase()
  const env = {
    [`${name}_URL`]: context.url,
    [`${name}_ACCESS_KEY`]: key,
    [`${name}_CA_FILE`]: context.path('ca.crt'),
  }
  const { code, stderr } = await context.run([program, 'whoami'], { env })
  expect([code, stderr.includes('access key not found')], stderr).to.deep.equal([3, true])
}
