import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { skip } from '../support/skip.ts'

const unit = join(import.meta.dirname, '../../deploy/systemd/platform-apiserver.service')
const analyze = (...args: string[]) =>
  spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8', timeout: 20_000 })

describe('the systemd unit', function () {
  this.timeout(60_000)

  before(function () {
    if (analyze('--version').error !== undefined) skip(this, 'systemd-analyze not found')
  })

  it('is valid', () => {
    const { status, stderr } = analyze('verify')
    expect([status, stderr]).to.deep.equal([0, ''])
  })

  it('has a low exposure score', () => {
    // Tenths, from 0 (closed) to 100.
    expect(analyze('security', '--offline=true', '--threshold=20').status).to.equal(0)
  })
})
