import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { LoginCodes } from '../../../apiserver/platform/logins/loginCodes.ts'
import { loginTarget, targetQuery } from '../../../apiserver/platform/logins/loginTarget.ts'
import { realRandom } from '../../../apiserver/runtime/realRandom.ts'
import { FakeClock } from '../../support/fakes/fakeClock.ts'

const verifier = 'the verifier of the tab'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const target = { challenge, state: 'a-state-of-the-tab' }
const refused = 'this code is not known any more: it was used, or took too long'

describe('LoginCodes', () => {
  let clock: FakeClock
  let codes: LoginCodes
  const issue = () => codes.issue({ user: 'jane' }, challenge)

  beforeEach(() => {
    clock = new FakeClock()
    codes = new LoginCodes(clock, realRandom)
  })

  it('are valid once', () => {
    const code = issue()
    expect(codes.take(code, verifier)).to.deep.equal({ user: 'jane' })
    expect(() => codes.take(code, verifier)).to.throw(refused)
  })

  it('are used up by a wrong verifier', () => {
    const code = issue()
    expect(() => codes.take(code, 'other')).to.throw('this code is for another client')
    expect(() => codes.take(code, verifier)).to.throw(refused)
  })

  it('end after five minutes', () => {
    const code = issue()
    clock.advance(300_000)
    expect(() => codes.take(code, verifier)).to.throw(refused)
  })

  it('are bounded: the oldest goes first', () => {
    const first = issue()
    const second = issue()
    for (let count = 0; count < 9_999; count++) issue()
    expect(() => codes.take(first, verifier)).to.throw(refused)
    expect(codes.take(second, verifier)).to.deep.equal({ user: 'jane' })
  })
})

describe('loginTarget of the console', () => {
  const read = (fields: Record<string, string>) => loginTarget(new URLSearchParams(fields))

  it('passes challenge and state on', () => {
    const found = read({ console: challenge, state: target.state })
    expect(found).to.deep.equal({ isCli: false, console: target })
    expect(read(Object.fromEntries(new URLSearchParams(targetQuery(found))))).to.deep.equal(found)
  })

  for (const [console, state] of [
    ['short', target.state],
    [challenge, 'short'],
    [challenge, 'a state&more=1#<script>'],
    [`${challenge}x`, target.state],
  ] as const)
    it(`ignores ${console.slice(0, 8)}…, ${state}`, () => {
      expect(read({ console, state })).to.deep.equal({ isCli: false })
    })
})
