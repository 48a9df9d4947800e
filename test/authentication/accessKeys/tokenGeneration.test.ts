import { expect } from 'chai'
import { userIdentity } from '../../../apiserver/authentication/identity.ts'
import { knownKey } from '../../../apiserver/authentication/accessKeys/knownKey.ts'
import {
  generationAnnotation,
  integerOf,
} from '../../../apiserver/authentication/accessKeys/tokenGeneration.ts'
import { defaultNames } from '../../../apiserver/meta/names/namesProfile.ts'
import { management, useTestServer } from '../../endpoints/support/testServer.ts'

/** Generations that are equal as doubles. */
const [one, other] = [9223372036854775806n, 9223372036854775807n]

describe('a token generation of 64 bits', () => {
  const server = useTestServer()

  it('is kept exactly', async () => {
    const { admin } = server()
    const body = `{"metadata":{"name":"many"},"spec":{"tokenGeneration":${other}}}`
    expect((await admin.post(`${management}/users`, body)).text).to.include(
      `"tokenGeneration":${other}}`,
    )
    const patch = `{"spec":{"tokenGeneration":${one}}}`
    await admin.patch(`${management}/users/many`, 'merge-patch+json', patch)
    const shown = await admin.get(`${management}/users/many`)
    expect(shown.text).to.include(`"tokenGeneration":${one}}`)
  })

  it('ends the tokens of another generation', () => {
    const identity = (tokenGeneration: number | bigint) =>
      userIdentity({ name: 'a', uid: 'u', spec: { tokenGeneration }, teams: [] }, defaultNames)
    const madeUnder = (noted: string) => {
      const annotations = { [generationAnnotation(defaultNames)]: noted }
      const spec = { key: 'k', user: 'a', type: 'Login' }
      const object = { kind: 'AccessKey', apiVersion: 'v1', metadata: { annotations }, spec }
      return knownKey('k', object, defaultNames)?.tokenGeneration
    }
    for (const [generation, noted, isSame] of [
      [one, String(one), true],
      [one, String(other), false],
      [7, '7', true],
      [7, '8', false],
    ] as const)
      expect(identity(generation).tokenGeneration === madeUnder(noted)).to.equal(isSame)
    expect(integerOf(identity(other).tokenGeneration)).to.equal(other)
  })
})
