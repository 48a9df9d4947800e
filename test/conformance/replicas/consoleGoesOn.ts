import { expect } from 'chai'
import { ConsolePage } from '../../console/browser/consolePage.ts'
import { signedIn } from '../browser/consoleRows.ts'
import { DevTools } from '../browser/devTools.ts'
import { namespaceObject, namespacesPath } from '../support/objects.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import type { ReplicatedServer } from './replicatedServer.ts'

const kills = 6
const maxSeconds = 300
const tries = 20
/** The browser reports each broken connection; the page must continue by itself. */
const ofConnection = /net::ERR_|503 \(Service Unavailable\)/

/** Shows a table, kills a replica, and expects a new row each time, without any user action. */
export async function consoleGoesOn(
  around: Surroundings,
  program: string,
  server: ReplicatedServer,
): Promise<void> {
  const tools = await DevTools.start(around.workspace, program, maxSeconds)
  try {
    const page = await signedIn(await ConsolePage.open(tools), server.url, server.token)
    await page.goTo(`${server.url}/console/#/k/core/v1/namespaces`)
    await page.shows('kube-system')
    for (let kill = 0; kill < kills; kill++) {
      await server.kill()
      await created(server, `seen-${kill}`)
      await page.shows(`seen-${kill}`)
      await server.start()
    }
    expect(page.complaints.filter((text) => !ofConnection.test(text))).to.deep.equal([])
  } finally {
    await tools.close()
  }
}

/** A create whose connection broke is repeated, and may find its own object. */
async function created(server: ReplicatedServer, name: string): Promise<void> {
  const body = namespaceObject(name)
  for (let attempt = 1; ; attempt++) {
    const answer = await server
      .client()
      .request('POST', namespacesPath, { body })
      .catch(() => undefined)
    if (answer?.status === 201 || (attempt > 1 && answer?.status === 409)) return
    const isOfFault = answer === undefined || answer.status === 503
    if (!isOfFault || attempt === tries) throw new Error(`create ${name}: ${answer?.text}`)
  }
}
