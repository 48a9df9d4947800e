import { expect } from 'chai'
import { helpText } from '../../../apiserver/command/config/help.ts'
import { configFileSetting, settings } from '../../../apiserver/command/config/settings.ts'

describe('helpText', () => {
  it('names every flag, and fits a terminal of 100 columns', () => {
    const lines = helpText().split('\n')
    expect(lines.filter((line) => line.length > 100)).to.deep.equal([])
    for (const { flag } of [configFileSetting, ...settings]) {
      expect(lines.filter((line) => line.startsWith(`  --${flag} `))).to.have.length(1)
    }
  })

  it('says that kubectl sends no token over plain HTTP', () => {
    expect(helpText().replaceAll(/\s+/g, ' ')).to.contain(
      'kubectl sends no bearer token over plain HTTP',
    )
  })
})

describe('settings', () => {
  it('have flags and variables derived from their path', () => {
    const shown = settings.find(({ path }) => path === 'names.gitHostA')
    expect(shown).to.include({ flag: 'names-git-host-a', env: 'PLATFORM_NAMES_GIT_HOST_A' })
  })

  it('have valid defaults', () => {
    const derived = ['names.domain', 'names.cliRole']
    const shown = settings.filter(
      ({ path, defaultText }) => defaultText !== '' && !derived.includes(path),
    )
    for (const { path, defaultText, read } of shown)
      expect(read(defaultText), path).to.be.a('function')
  })
})
