import { expect } from 'chai'
import { loggedError } from '../../../apiserver/platform/logins/loggedError.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'

describe('loggedError', () => {
  it('logs messages and codes along the chain of causes, and the place of the error', () => {
    const root = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const error = new StatusError(503, 'ServiceUnavailable', 'cannot be reached', { cause: root })
    const { message, stack } = loggedError(error)
    expect(message).to.equal(
      'StatusError: cannot be reached; caused by Error ECONNREFUSED: connect ECONNREFUSED',
    )
    expect(stack).to.match(/\n\s+at .*loggedError\.test\.ts/)
  })

  it('omits what a parser quotes, and other properties of the error', () => {
    let caught: unknown
    try {
      JSON.parse('{"token": my-secret')
    } catch (error) {
      caught = error
    }
    const error = Object.assign(new Error('no', { cause: caught }), {
      body: 'my-secret',
      code: 'my secret of several words',
    })
    const logged = loggedError(error)
    expect(
      JSON.stringify({ ...logged, message: logged.message, stack: logged.stack }),
    ).not.to.match(/my.secret/)
    expect(logged.message).to.equal(
      'Error: no; caused by SyntaxError: what was sent cannot be read',
    )
  })

  it('handles values that are not errors, and endless chains', () => {
    expect(loggedError('my-secret').message).to.equal('string')
    const round = new Error('round')
    round.cause = round
    expect(loggedError(round).message.split('caused by')).to.have.length(5)
  })
})
