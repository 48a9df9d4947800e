import { createHash } from 'node:crypto'
import { expect } from 'chai'
import {
  generateAccessKey,
  isStoredAccessKey,
  storedAccessKey,
} from '../../../apiserver/authentication/accessKeys/accessKeyForm.ts'
import { FakeRandom } from '../../support/fakes/fakeRandom.ts'

describe('access keys', () => {
  it('are 64 letters and digits, using all of them, without repetition', () => {
    const random = new FakeRandom()
    const keys = Array.from({ length: 200 }, () => generateAccessKey(random))
    for (const key of keys) expect(key).to.match(/^[a-zA-Z0-9]{64}$/)
    expect(new Set(keys).size).to.equal(200)
    expect(new Set(keys.join('')).size).to.equal(62)
  })
  it('are stored as their SHA-256', () => {
    const hex = createHash('sha256').update('secret').digest('hex')
    expect(storedAccessKey('secret')).to.equal(`sha256:${hex}`)
  })
  it('the stored form of a digest is the digest itself', () => {
    const stored = storedAccessKey('secret')
    expect([storedAccessKey(stored), isStoredAccessKey(stored)]).to.deep.equal([stored, true])
  })
  for (const text of [
    '',
    'secret',
    'sha256:',
    `sha256:${'A'.repeat(64)}`,
    `sha256:${'a'.repeat(65)}`,
  ]) {
    it(`${JSON.stringify(text)} is not a stored form`, () => {
      expect(isStoredAccessKey(text)).to.equal(false)
    })
  }
})
