import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { matchPassword, passwordHash } from '../../apiserver/authentication/passwordHash.ts'

describe('passwordHash', () => {
  const salt = Buffer.alloc(16, 1)

  it('verifies the right password only', async () => {
    const stored = await passwordHash('pass wörd', salt)
    expect(stored).to.match(/^\$scrypt\$ln=14,r=8,p=5\$AQEBAQEBAQEBAQEBAQEBAQ\$[A-Za-z0-9+/]{43}$/)
    expect(await matchPassword('pass wörd', stored)).to.equal('right')
    expect(await matchPassword('pass word', stored)).to.equal('wrong')
    expect(await matchPassword(stored, stored)).to.equal('wrong')
  })

  it('does not block the event loop', async () => {
    let isDone = false
    const hashing = passwordHash('pass', salt).then(() => (isDone = true))
    let turns = 0
    for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
    await hashing
    expect(turns).to.be.greaterThan(20)
  })

  it('verifies an SHA-256 hash, and asks for it to be replaced (reference 1.3)', async () => {
    const stored = createHash('sha256').update('my-password').digest('hex')
    expect(stored).to.equal('6fa2288c361becce3e30ba4c41be7d8ba01e3580566f7acc76a7f99994474c46')
    expect(await matchPassword('my-password', stored)).to.equal('outdated')
    expect(await matchPassword('other', stored)).to.equal('wrong')
  })

  for (const stored of [
    '',
    'my-password',
    '$scrypt$ln=30,r=8,p=1$AQEBAQEBAQEBAQEBAQEBAQ$AAAAAAAAAAAAAAAAAAAAAAAA',
    '$scrypt$ln=0,r=8,p=1$AQEBAQEBAQEBAQEBAQEBAQ$AAAAAAAAAAAAAAAAAAAAAAAA',
  ]) {
    it(`treats ${JSON.stringify(stored)} as no password`, async () => {
      expect(await matchPassword('my-password', stored)).to.equal('wrong')
    })
  }
})
