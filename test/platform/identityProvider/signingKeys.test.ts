import { expect } from 'chai'
import { JwtKeys } from '../../../apiserver/authentication/tokens/jwtKeys.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const day = 24 * 3600 * 1000

describe('JwtKeys.privateKeys', function () {
  this.timeout(20_000)

  it('returns the same keys until a rotation, the newest first, and old ones while they verify', async () => {
    let kept: string | undefined
    const keeper = {
      read: () => Promise.resolve(kept),
      isShared: false,
      replace: (_: string | undefined, text: string) => Promise.resolve((kept = text)),
    }
    const clock = new FakeClock()
    const options = { keeper, clock, maxLifeMs: 30 * day }
    const keys = new JwtKeys(options)
    const first = await keys.privateKeys()
    expect(first.length).to.equal(1)
    expect(first[0]).to.include.keys('d', 'p', 'q', 'kid')
    expect(await keys.privateKeys()).to.equal(first)
    expect(await new JwtKeys(options).privateKeys()).to.deep.equal(first)
    clock.advance(90 * day)
    const second = await keys.privateKeys()
    expect(second.length).to.equal(2)
    expect(second[1]).to.equal(first[0])
    expect(second[0]?.['kid']).not.to.equal(first[0]?.['kid'])
    clock.advance(90 * day)
    const third = await keys.privateKeys()
    expect(third.map(({ kid }) => kid)).to.deep.equal([third[0]?.['kid'], second[0]?.['kid']])
  })
})
