import { expect } from 'chai'
import { definitionsPath as definitions, widgetDefinition } from '../../support/definitions.ts'
import { waitUntil } from '../../support/waitUntil.ts'
import type { Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

/** Schema of objects with a spec. */
export const spec = (properties: object, rest: object = {}) => ({
  properties: { spec: { type: 'object', properties, ...rest } },
})

export const widget = (content: object, name = 'a') => ({
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name },
  ...content,
})

/** Status of an answer, and its spec or its message. */
export const specOf = (answer: Answer) => [
  answer.status,
  answer.field('spec') ?? answer.field('message'),
]

/** A server whose definitions of widgets and gadgets are removed after each test. */
export function useWidgetServer() {
  const server = useTestServer()
  const admin = () => server().admin

  afterEach(async () => {
    for (const name of ['widgets.example.com', 'gadgets.example.com']) {
      await admin().delete(`${definitions}/${name}`)
      await waitUntil(async () => (await admin().get(`${definitions}/${name}`)).status === 404)
    }
  })

  return {
    admin,
    define: async (...args: Parameters<typeof widgetDefinition>): Promise<void> => {
      const answer = await admin().post(definitions, widgetDefinition(...args))
      expect(answer.status, answer.text).to.equal(201)
    },
    condition: async (type: string, name = 'widgets.example.com') => {
      const answer = await admin().get(`${definitions}/${name}`)
      const conditions = (answer.field('status', 'conditions') ?? []) as {
        type: string
        status: string
        reason: string
        message: string
      }[]
      return conditions.find((one) => one.type === type)
    },
  }
}
