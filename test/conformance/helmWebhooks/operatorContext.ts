import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { authority, certificate, serverUse } from '../../support/certificates.ts'
import { HelmContext } from '../helm/helmContext.ts'
import type { ApiClient } from '../support/apiClient.ts'
import { RunningCommand } from '../support/command.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { writeOperatorChart } from './operatorChart.ts'

/** Command of a webhook server, followed by the files of its certificate and key. */
export type HookCommand = readonly string[]

const lifetimeSeconds = 900

/** Server, helm with the chart `operator`, and the webhook server named in the chart. */
export class OperatorContext {
  readonly helm: HelmContext
  readonly caBundle: string
  readonly port: number
  readonly #hook: RunningCommand

  private constructor(helm: HelmContext, hook: RunningCommand, { caBundle, port }: Reached) {
    this.helm = helm
    this.#hook = hook
    this.caBundle = caBundle
    this.port = port
  }

  static async open(
    around: Surroundings,
    program: string,
    [command = '', ...args]: HookCommand,
  ): Promise<OperatorContext> {
    const folder = around.workspace.folder('hook')
    const ca = await authority('authority of hooks')
    const hosts = ['hooks.releases.svc']
    const own = await certificate({ cn: 'hooks', uses: [serverUse], hosts }, ca)
    const [cert, key] = [join(folder, 'cert'), join(folder, 'key')]
    writeFileSync(cert, own.cert)
    writeFileSync(key, own.key)
    const started = [command, ...args, cert, key]
    const hook = new RunningCommand(around.workspace, started, { timeoutSeconds: lifetimeSeconds })
    await hook.until(({ stdout }) => /listening \d+/.test(stdout), 30)
    const port = Number(/listening (\d+)/.exec(hook.stdout)?.[1])
    const helm = await HelmContext.open(around, program, {
      label: 'helm-webhooks',
      write: (charts) => writeOperatorChart(join(charts, 'operator')),
    })
    return new OperatorContext(helm, hook, {
      caBundle: Buffer.from(ca.cert).toString('base64'),
      port,
    })
  }

  get api(): ApiClient {
    return this.helm.api
  }

  /** Flags with the values that the chart needs. */
  get values(): string {
    return `--set port=${this.port} --set caBundle=${this.caBundle}`
  }

  async close(): Promise<void> {
    await this.helm.close()
    this.#hook.stop()
  }
}

interface Reached {
  caBundle: string
  port: number
}
