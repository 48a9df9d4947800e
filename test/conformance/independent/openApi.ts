import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { parsed } from '../support/apiClient.ts'
import { client, type Client, type Scenario } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

interface Index {
  paths: Record<string, { serverRelativeURL: string }>
}

const prefixes = ['', '/kubernetes/management']

async function read(server: ServerProcess, path: string): Promise<Record<string, unknown>> {
  // Every OpenAPI document is a JSON object, which the validator then checks.
  return parsed(await server.client().request('GET', path), 200) as Record<string, unknown>
}

/**
 * Rewrites fields named `$ref`, which the schema of schemas has: the validator takes any of them
 * for a reference, which is a string.
 */
function withoutFieldsNamedRef(document: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === '$ref' && typeof value !== 'string' ? undefined : value,
  )
  // It was an object before.
  return JSON.parse(text) as Record<string, unknown>
}

async function expectValid(server: ServerProcess, path: string): Promise<void> {
  const result = await new Validator().validate(withoutFieldsNamedRef(await read(server, path)))
  expect(result, path).to.deep.equal({ valid: true })
}

const scenarios: readonly Scenario<ServerProcess>[] = prefixes.flatMap((prefix) => [
  {
    name: `every v3 document of ${prefix}/openapi/v3 is valid`,
    run: async (server: ServerProcess) => {
      const { paths } = (await read(server, `${prefix}/openapi/v3`)) as unknown as Index
      expect(Object.keys(paths)).to.include.members(['api/v1', 'apis/management.platform/v1'])
      for (const [name, { serverRelativeURL }] of Object.entries(paths)) {
        await expectValid(server, serverRelativeURL)
        await expectValid(server, `${prefix}/openapi/v3/${name}`)
      }
    },
  },
  {
    name: `the v2 document of ${prefix}/openapi/v2 is valid`,
    run: (server: ServerProcess) => expectValid(server, `${prefix}/openapi/v2`),
  },
])

/** Validator of OpenAPI documents that does not depend on this server. */
export function openApiClient(around: Surroundings): Client {
  return client({
    name: 'openapi-schema-validator',
    scenarios,
    open: async () => {
      const server = new ServerProcess(around, 'openapi')
      await server.start()
      return server
    },
    close: (server) => server.stop(),
  })
}
