import { expect } from 'chai'
import { ProviderAsks } from '../../../../apiserver/platform/logins/limits/providerAsks.ts'
import { ProviderPauses } from '../../../../apiserver/platform/logins/limits/providerPauses.ts'
import { StatusError } from '../../../../apiserver/meta/status.ts'

describe('ProviderAsks', () => {
  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => 200,
      (error: unknown) => (error instanceof StatusError ? error.code : 0),
    )

  it('lets a hundred requests wait for a slow provider, and none for another one', async () => {
    const asks = new ProviderAsks()
    let answer: () => void = () => undefined
    const slow = new Promise<void>((resolve) => (answer = resolve))
    const waiting = Array.from({ length: 100 }, () => asks.ask('slow', () => slow))
    expect(await codeOf(asks.ask('slow', () => slow))).to.equal(429)
    expect(await codeOf(asks.ask('other', async () => undefined))).to.equal(200)
    answer()
    await Promise.all(waiting)
    expect(await codeOf(asks.ask('slow', () => slow))).to.equal(200)
  })

  it('frees the place of a failed request', async () => {
    const asks = new ProviderAsks()
    for (let n = 0; n < 120; n++) {
      expect(await codeOf(asks.ask('down', () => Promise.reject(new Error('no'))))).to.equal(503)
    }
  })
})

describe('ProviderPauses', () => {
  const minute = 60_000

  it('doubles from a minute up to half an hour, and resets on a response', () => {
    const pauses = new ProviderPauses()
    let now = 0
    for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
      pauses.failed('a', now)
      expect(pauses.isPaused('a', now + minutes * minute - 1)).to.equal(true)
      now += minutes * minute
      expect(pauses.isPaused('a', now)).to.equal(false)
    }
    pauses.answered('a')
    pauses.failed('a', now)
    expect(pauses.isPaused('a', now + minute)).to.equal(false)
    expect(pauses.isPaused('b', now)).to.equal(false)
  })

  it('counts concurrent failures once', () => {
    const pauses = new ProviderPauses()
    for (let n = 0; n < 4; n++) pauses.failed('a', n)
    expect(pauses.isPaused('a', minute)).to.equal(false)
  })
})
