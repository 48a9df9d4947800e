import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { LoginCodes } from '../../../../apiserver/platform/logins/records/loginCodes.ts'
import {
  LocalLoginRecords,
  type LoginRecords,
} from '../../../../apiserver/platform/logins/records/loginRecords.ts'
import { StoredLoginRecords } from '../../../../apiserver/platform/logins/records/storedLoginRecords.ts'
import { ExpiringValues } from '../../../../apiserver/platform/replicas/expiringValues.ts'
import { LevelStorage } from '../../../../apiserver/storage/level/levelStorage.ts'
import { refusal } from '../../../support/refusal.ts'
import { loginTarget, targetQuery } from '../../../../apiserver/platform/logins/loginTarget.ts'
import { realRandom } from '../../../../apiserver/runtime/realRandom.ts'
import { FakeClock } from '../../../support/fakes/fakeClock.ts'

const verifier = 'the verifier of the tab'
const challenge = createHash('sha256').update(verifier).digest('base64url')
const target = { challenge, state: 'a-state-of-the-tab' }
const refused = 'this code is not known any more: it was used, or took too long'

for (const where of ['one server', 'a shared storage'])
  describe(`LoginCodes of ${where}`, () => {
    let clock: FakeClock
    let storage: LevelStorage
    let codes: LoginCodes
    const issue = () => codes.issue({ user: 'jane' }, challenge)
    const open = (records: LoginRecords) => new LoginCodes({ clock, random: realRandom, records })

    beforeEach(async () => {
      clock = new FakeClock()
      storage = await LevelStorage.open({ location: undefined, clock })
      codes = open(
        where === 'one server'
          ? new LocalLoginRecords(clock)
          : new StoredLoginRecords(storage, clock, 'codes'),
      )
    })
    afterEach(() => storage.close())

    it('are valid once', async () => {
      const code = await issue()
      expect(await codes.take(code, verifier)).to.deep.equal({ user: 'jane' })
      expect(await said(codes.take(code, verifier))).to.equal(refused)
    })

    it('are valid for one of many concurrent requests', async () => {
      const code = await issue()
      const tries = Array.from({ length: 20 }, () => codes.take(code, verifier))
      const results = await Promise.allSettled(tries)
      expect(results.filter(({ status }) => status === 'fulfilled').length).to.equal(1)
    })

    it('are consumed by a wrong verifier', async () => {
      const code = await issue()
      expect(await said(codes.take(code, 'other'))).to.equal(
        'this code is for another client; please start again',
      )
      expect(await said(codes.take(code, verifier))).to.equal(refused)
    })

    it('end after five minutes', async () => {
      const code = await issue()
      clock.advance(300_000)
      expect(await said(codes.take(code, verifier))).to.equal(refused)
    })

    if (where === 'one server') {
      it('are bounded: the oldest is dropped first', async () => {
        const first = await issue()
        const second = await issue()
        for (let count = 0; count < 9_999; count++) await issue()
        expect(await said(codes.take(first, verifier))).to.equal(refused)
        expect(await codes.take(second, verifier)).to.deep.equal({ user: 'jane' })
      })
      return
    }

    it('are valid at another server, and not in clear in the storage', async () => {
      const code = await issue()
      const { items } = await storage.list({ prefix: '' })
      expect(items.map(({ key, value }) => key + value.toString()).join()).to.not.include(code)
      const other = open(new StoredLoginRecords(storage, clock, 'codes'))
      expect(await other.take(code, verifier)).to.deep.equal({ user: 'jane' })
    })

    it('are removed some time after they expire', async () => {
      await issue()
      const sweptAfter = async (ms: number) => {
        clock.advance(ms)
        const values = new ExpiringValues({ storage, clock, report: failed })
        await values.sweep()
        values.stop()
        return (await storage.list({ prefix: '' })).items.length
      }
      expect(await sweptAfter(400_000)).to.equal(1)
      expect(await sweptAfter(300_000)).to.equal(0)
    })
  })

function failed(error: unknown): never {
  throw error
}

describe('loginTarget of the console', () => {
  const read = (fields: Record<string, string>) => loginTarget(new URLSearchParams(fields), [])

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

async function said(work: Promise<unknown>): Promise<string> {
  return (await refusal(work)).message ?? ''
}
