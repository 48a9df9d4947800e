import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { HttpClient } from '../endpoints/support/httpClient.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

/** Request of a recording with the answer of kube-apiserver; a step without a name only prepares others. */
interface Step {
  name?: string
  want?: { status: number; message?: string; warnings?: string[] }
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

/** Source: seen on kube-apiserver 1.37.2, which was asked the same in the same order. */
const recordings = [
  { file: 'validate', of: 'webhook configurations as objects' },
  { file: 'psa', of: 'pod security' },
  { file: 'vap', of: 'validating policies' },
]

for (const { file, of } of recordings) {
  const url = new URL(`../fixtures/admission/${file}.json`, import.meta.url)
  const steps = JSON.parse(readFileSync(url, 'utf8')) as Step[]
  describe(of, () => {
    const server = useTestServer({ enableAdmissionPlugins: ['ServiceAccount', 'Priority'] })
    let admin: HttpClient
    let prepared = 0
    before(() => {
      ;({ admin } = server())
    })

    const send = ({ method, path, body, headers = {} }: Step) =>
      admin.call(path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      })

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
        expect({
          status: answer.status,
          ...(want.message === undefined ? {} : { message: answer.field('message') }),
          ...(warnings.length === 0 ? {} : { warnings }),
        }).to.deep.equal(want)
      })
    }
  })
}
