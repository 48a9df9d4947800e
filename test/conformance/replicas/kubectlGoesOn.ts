import { expect } from 'chai'
import { setTimeout as delay } from 'node:timers/promises'
import { Kubectl } from '../support/kubectl.ts'
import type { KubectlBinary } from '../support/kubectlBinaries.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import type { ReplicatedServer } from './replicatedServer.ts'

const kills = 6
const betweenKillsMs = 700
const mostTries = 4
/** Errors of a connection that ended with its server, after which clients and users retry. */
const ofConnection =
  /EOF|connection re(set|fused)|connection lost|broken pipe|closed network|TLS handshake|currently unable to handle|timed out waiting for the condition|ServiceUnavailable/i

/**
 * Runs commands one after the other while replicas are killed. A command may fail because of a
 * broken connection, and then has to succeed when repeated; any other failure is an error.
 */
export async function kubectlGoesOn(
  around: Surroundings,
  binary: KubectlBinary,
  server: ReplicatedServer,
): Promise<void> {
  const home = around.workspace.folder('home-replicas')
  const { workspace } = around
  const place = { cwd: home, kubeconfig: server.kubeconfig }
  const kubectl = new Kubectl({ workspace, binary, home }, place)
  await repeated(kubectl, 'create configmap waited --from-literal=done=no')
  const waiting = kubectl.start(
    'wait configmap/waited --for=jsonpath={.data.done}=yes --timeout=120s',
    { timeoutSeconds: 150 },
  )
  let isOver = false
  let rounds = 0
  const working = (async () => {
    for (; !isOver; rounds++) await oneRound(kubectl, `r${rounds}`)
  })()
  // Errors are thrown below.
  working.catch(() => undefined)
  for (let kill = 0; kill < kills; kill++) {
    await delay(betweenKillsMs)
    await server.kill()
    await delay(betweenKillsMs)
    await server.start()
  }
  isOver = true
  await working
  await repeated(kubectl, 'patch configmap waited -p {"data":{"done":"yes"}}')
  const { code, stderr } = await waiting.done
  expect(code, stderr).to.equal(0)
  expect(rounds).to.be.above(0)
}

async function oneRound(kubectl: Kubectl, name: string): Promise<void> {
  await repeated(kubectl, `create configmap ${name} --from-literal=a=b`, /AlreadyExists/)
  expect(await repeated(kubectl, `get configmap ${name} -o jsonpath={.data.a}`)).to.equal('b')
  await repeated(kubectl, `patch configmap ${name} -p {"data":{"a":"c"}}`)
  expect(await repeated(kubectl, `get configmap ${name} -o jsonpath={.data.a}`)).to.equal('c')
  await repeated(kubectl, `delete configmap ${name}`, /NotFound/)
  expect(await repeated(kubectl, 'get configmaps -o name')).to.not.contain(`configmap/${name}\n`)
}

/** Standard output. `done`: error of a repeated command whose first attempt has succeeded. */
async function repeated(kubectl: Kubectl, args: string, done?: RegExp): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { code, stdout, stderr } = await kubectl.run(args, { timeoutSeconds: 60 })
    if (code === 0 || (attempt > 1 && done?.test(stderr) === true)) return stdout
    if (attempt === mostTries || !ofConnection.test(stderr))
      throw new Error(`kubectl ${args}: ${stderr}`)
  }
}
