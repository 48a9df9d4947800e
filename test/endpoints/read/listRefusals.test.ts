import { expect } from 'chai'
import {
  definitionsPath as definitions,
  widgetDefinition,
  widgetsPath as widgets,
} from '../../support/definitions.ts'
import { useTestServer, users } from '../support/testServer.ts'

describe('first error of a list and a watch', () => {
  const server = useTestServer()
  before(async () => {
    await server().admin.post(definitions, widgetDefinition({}))
  })

  const known =
    '"bad" is not a known field selector: only "metadata.name", "metadata.namespace", "spec.username", "spec.subject"'
  const cases: [path: string, want: string][] = [
    [`${widgets}?fieldSelector=bad%3D1`, 'field label not supported: bad'],
    [`${widgets}?fieldSelector=bad%3D1&watch=1`, 'field label not supported: bad'],
    [`${widgets}?fieldSelector=bad%3D1&resourceVersion=x`, 'field label not supported: bad'],
    [`${users}?fieldSelector=bad%3D1&resourceVersion=x`, known],
    [`${users}?fieldSelector=bad%3D1&resourceVersion=x&watch=1`, known],
  ]
  for (const [path, want] of cases) {
    it(`${path}: 400 ${want} (reference 4.3)`, async () => {
      const answer = await server().admin.get(path)
      expect([answer.status, answer.field('message')]).to.deep.equal([400, want])
    })
  }
})
