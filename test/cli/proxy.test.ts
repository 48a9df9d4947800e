import { expect } from 'chai'
import { proxyFor } from '../../cli/client/proxy.ts'

const server = 'https://platform.example.com'
const proxy = 'http://proxy.example.net:3128'

describe('proxyFor', () => {
  const cases: [url: string, env: Record<string, string>, used: boolean][] = [
    [server, { HTTPS_PROXY: proxy }, true],
    [server, { https_proxy: proxy }, true],
    [server, { HTTPS_PROXY: 'proxy.example.net:3128' }, true],
    [server, {}, false],
    [server, { HTTPS_PROXY: '' }, false],
    [server, { HTTP_PROXY: proxy }, false],
    ['https://localhost:8443', { HTTPS_PROXY: proxy }, false],
    ['https://127.0.0.1:8443', { HTTPS_PROXY: proxy }, false],
    ['https://[::1]:8443', { HTTPS_PROXY: proxy }, false],
    ['http://localhost:8080', { HTTPS_PROXY: proxy }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: '*' }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: 'example.com' }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: '.example.com' }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: '*.example.com' }, false],
    [server, { HTTPS_PROXY: proxy, no_proxy: 'a, PLATFORM.example.com' }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: 'ample.com,example.org' }, true],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: 'platform.example.com:443' }, false],
    [server, { HTTPS_PROXY: proxy, NO_PROXY: 'platform.example.com:8443' }, true],
    ['https://10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, false],
    ['https://11.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, true],
    ['https://[fd00::1]', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::/8' }, false],
    ['https://[fd00::1]', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, true],
    ['https://10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/99,x/8' }, true],
  ]
  for (const [url, env, used] of cases)
    it(`${used ? 'is used' : 'is not used'} for ${url} with ${JSON.stringify(env)}`, () => {
      expect(proxyFor(url, env)?.host).to.equal(used ? 'proxy.example.net:3128' : undefined)
    })

  for (const given of ['socks5://proxy:1080', 'http://'])
    it(`refuses ${given}`, () => {
      expect(() => proxyFor(server, { HTTPS_PROXY: given })).to.throw('HTTPS_PROXY is not')
    })
})
