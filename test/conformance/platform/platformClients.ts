import { findOnPath } from '../support/kubectlBinaries.ts'
import { client, missingClient, type Client } from '../support/scenario.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { accessFlows } from './accessFlows.ts'
import { clusterFlows } from './clusterFlows.ts'
import { CurlSender } from './curlSender.ts'
import { HttpsSender, type HttpShape } from './httpsSender.ts'
import { keyFlows } from './keyFlows.ts'
import { PlatformContext, type PlatformScenario, type SenderTo } from './platformContext.ts'
import { secretFlows } from './secretFlows.ts'
import { userFlows } from './userFlows.ts'
import { webFlows } from './webFlows.ts'

/** Source: platform facts 3.1, 3.2. */
const commandLine: HttpShape = {
  bearer: 'Bearer',
  headers: { Accept: 'application/json, */*', 'User-Agent': 'platform/v0.0.0' },
  query: '',
}

/** Source: platform facts 3.4. */
const javaScript: HttpShape = {
  bearer: 'bearer',
  headers: {
    Accept: 'application/json',
    'X-Sleep-Mode-Ignore': 'true',
    'X-Platform-Client': 'true',
  },
  query: '?timeout=180s',
}

const flows: readonly PlatformScenario[] = [
  ...keyFlows,
  ...secretFlows,
  ...accessFlows,
  ...clusterFlows,
  ...userFlows,
]

/**
 * Scenarios of platform users, in the form of each published client. kubectl runs them among its
 * other scenarios.
 */
export function platformClients(around: Surroundings): Client[] {
  const shaped = (shape: HttpShape): SenderTo => {
    return (address) => new HttpsSender(address, shape)
  }
  return [
    findOnPath('curl') === undefined
      ? missingClient('platform by curl', 'not on PATH')
      : platformClient(around, 'curl', {
          senderTo: (address, { workspace }) => new CurlSender(workspace, address),
          flows,
        }),
    platformClient(around, 'the command line', { senderTo: shaped(commandLine), flows }),
    platformClient(around, 'JavaScript', {
      senderTo: shaped(javaScript),
      flows: [...flows, ...webFlows],
    }),
  ]
}

interface Parts {
  senderTo: SenderTo
  flows: readonly PlatformScenario[]
}

function platformClient(around: Surroundings, by: string, { senderTo, flows }: Parts): Client {
  const name = `platform by ${by}`
  return client({
    name,
    scenarios: flows,
    open: () => PlatformContext.open(around, name, senderTo),
    close: (context) => context.close(),
  })
}
