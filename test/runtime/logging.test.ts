import { expect } from 'chai'
import { createLogger, type Logger } from '../../apiserver/runtime/logging.ts'
import type { LogLevel } from '../../apiserver/runtime/options/serverOptions.ts'
import { FakeClock } from '../support/fakes/fakeClock.ts'

describe('Logger', () => {
  let lines: unknown[]
  const logger = (level: LogLevel = 'info'): Logger =>
    createLogger({
      level,
      clock: new FakeClock(Date.UTC(2026, 0, 1)),
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    })

  beforeEach(() => (lines = []))

  it('writes JSON lines with level, time, fields and message', () => {
    logger().info({ port: 8443 }, 'serving')
    expect(lines).to.deep.equal([
      { level: 'info', time: '2026-01-01T00:00:00.000Z', port: 8443, msg: 'serving' },
    ])
  })

  it('omits messages below its level', () => {
    const warnings = logger('warn')
    warnings.info({}, 'no')
    warnings.warn({}, 'yes')
    logger('silent').error({}, 'no')
    expect(lines).to.have.length(1)
  })

  it('redacts secrets at any depth, and does not change the caller’s object', () => {
    const fields = {
      token: 't',
      request: {
        headers: { authorization: 'Bearer t', 'sec-websocket-protocol': 'p', accept: 'a' },
      },
      users: [{ password: 'p', name: 'n' }],
    }
    logger().warn(fields, 'refused')
    expect(lines[0]).to.deep.include({
      token: '[redacted]',
      request: {
        headers: {
          authorization: '[redacted]',
          'sec-websocket-protocol': '[redacted]',
          accept: 'a',
        },
      },
      users: [{ password: '[redacted]', name: 'n' }],
    })
    expect(fields.token).to.equal('t')
  })

  it('logs an error with its message, and handles cycles', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    logger().error({ err: new Error('broken'), cycle }, 'failed')
    expect(lines[0]).to.have.nested.property('err.message', 'broken')
    expect(JSON.stringify(lines[0])).to.contain('[too deep]')
  })
})
