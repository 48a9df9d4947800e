import { expect } from 'chai'
import { makeLoginKey } from '../../../../apiserver/platform/logins/loginKeys.ts'
import type { LoginServices } from '../../../../apiserver/platform/logins/loginServices.ts'
import {
  maxSessions,
  SessionLimit,
} from '../../../../apiserver/platform/logins/limits/sessionLimit.ts'
import { defaultNames } from '../../../../apiserver/meta/names/namesProfile.ts'
import { realRandom } from '../../../../apiserver/runtime/realRandom.ts'
import { KeyStores } from '../../../support/accessKeys.ts'

describe('SessionLimit', () => {
  let keys: KeyStores
  let services: LoginServices

  before(async () => {
    keys = await KeyStores.open()
    const given = {
      names: defaultNames,
      random: realRandom,
      clock: keys.stores.clock,
      access: keys.access,
      settings: () => ({ loginAccessKeyTTLSeconds: 0 }),
      sessions: new SessionLimit(keys.access, defaultNames),
    }
    // A login key uses only these services.
    services = given as unknown as LoginServices
  })
  after(() => keys.stores.close())

  const namesOf = (user: string) =>
    [...keys.keys.cache.all()]
      .map((entry) => entry.object())
      .filter(({ spec }) => (spec as { user: string }).user === user)
      .map(({ metadata }) => metadata.name ?? '')

  it('ends the oldest login of a user who exceeds the limit', async () => {
    await makeLoginKey('other', services)
    await makeLoginKey('pat', services)
    const [first = ''] = namesOf('pat')
    for (let count = 1; count < maxSessions; count++) {
      keys.stores.clock.advance(1_000)
      await makeLoginKey('pat', services)
    }
    expect(namesOf('pat')).to.have.length(maxSessions).and.include(first)
    keys.stores.clock.advance(1_000)
    await makeLoginKey('pat', services)
    expect(namesOf('pat')).to.have.length(maxSessions).and.not.include(first)
    expect(namesOf('other')).to.have.length(1)
  })

  it('counts logins found at start', async () => {
    const limited = { ...services, sessions: new SessionLimit(keys.access, defaultNames) }
    await makeLoginKey('pat', limited)
    expect(namesOf('pat')).to.have.length(maxSessions)
  })
})
