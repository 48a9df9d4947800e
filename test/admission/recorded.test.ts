import { expect } from 'chai'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'
import {
  bodyOf,
  readRecording,
  recordings,
  shownMessage,
  shownPart,
  type RecordedStep,
} from '../support/tables/admissionRecordings.ts'

for (const { file, of, plugins = ['ServiceAccount', 'Priority'] } of recordings) {
  const steps = readRecording(file)
  describe(of, () => {
    const server = useTestServer({ enableAdmissionPlugins: plugins })
    let admin: HttpClient
    let prepared = 0
    before(() => {
      ;({ admin } = server())
    })

    const uidAt = async (path: string) => String((await admin.get(path)).field('metadata', 'uid'))
    const send = async (step: RecordedStep) => {
      const { method, path, headers = {} } = step
      const body = await bodyOf(step, uidAt)
      return admin.call(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      })
    }

    for (const [at, step] of steps.entries()) {
      const { name, want } = step
      if (name === undefined || want === undefined) continue
      const outcome = want.status < 400 ? 'accepted' : 'refused'
      it(`${at}, ${name}: ${outcome} with ${want.status}`, async () => {
        for (; prepared < at; prepared++) {
          const earlier = steps[prepared]
          if (earlier?.want === undefined && earlier !== undefined) await send(earlier)
        }
        prepared = at + 1
        const answer = await send(step)
        const warnings = answer.all('warning')
        const { message } = want
        const isTold = message !== undefined
        expect({
          status: answer.status,
          ...(isTold ? { message: shownMessage(answer.field('message')) } : {}),
          ...(want.reason === undefined ? {} : { reason: answer.field('reason') }),
          ...('object' in want ? { object: shownPart(answer.json, step.show ?? '') } : {}),
          ...(warnings.length === 0 ? {} : { warnings }),
        }).to.deep.equal({ ...want, ...(isTold ? { message: shownMessage(message) } : {}) })
      })
    }
  })
}
