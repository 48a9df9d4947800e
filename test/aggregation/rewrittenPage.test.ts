import { expect } from 'chai'
import { rewrittenPage } from '../../apiserver/aggregation/rewrittenPage.ts'
import { atOnce, runPaced } from '../../apiserver/meta/waiting/steps.ts'
import { deadline } from '../support/deadlines.ts'
import { longestTurn } from '../support/longestTurn.ts'

const rewrite = (url: string) => (url.startsWith('/') ? `/p${url}` : url)

describe('rewrittenPage', () => {
  const cases = {
    'a link': ['<a href="/x">x</a>', '<a href="/p/x">x</a>'],
    'single quotes, upper case and other attributes': [
      `<IMG alt='a > b' SRC='/x' width=3>`,
      `<IMG alt='a > b' SRC="/p/x" width=3>`,
    ],
    'a value without quotes': ['<a href=/x/y class=b>', '<a href="/p/x/y" class=b>'],
    'spaces around the sign': ['<form action = "/x" >', '<form action = "/p/x" >'],
    'escaped characters': ['<a href="/x?a=1&amp;b=2">', '<a href="/p/x?a=1&amp;b=2">'],
    'two attributes': ['<video poster="/a" src="/b"/>', '<video poster="/p/a" src="/p/b"/>'],
    'a script by its source, and not its text': [
      '<script src="/x">"<a href="/y">"</script><a href="/z">',
      '<script src="/p/x">"<a href="/y">"</script><a href="/p/z">',
    ],
    'what follows a comment': [
      '<!-- <a href="/x"> --><a href="/y">',
      '<!-- <a href="/x"> --><a href="/p/y">',
    ],
    'other bytes': ['<p>\u00e4 < 3 <a href="/\u00e4">', '<p>\u00e4 < 3 <a href="/p/\u00e4">'],
  }
  for (const [what, [html = '', want]] of Object.entries(cases)) {
    it(`rewrites ${what}`, () => expect(atOnce(rewrittenPage(html, rewrite))).to.equal(want))
  }

  const unchanged = [
    '<a href="x">',
    '<a title="/x">',
    '<p href="/x">',
    '</a href="/x">',
    '<a href="/x',
    '<!doctype html>',
    '<constructor href="/x">',
    '<title><a href="/x"></title>',
    '<',
    '',
  ]
  for (const html of unchanged) {
    it(`leaves ${html || 'an empty page'} as it is`, () => {
      expect(atOnce(rewrittenPage(html, rewrite))).to.equal(html)
    })
  }

  it('takes little time for hostile pages', () => {
    const started = performance.now()
    for (const part of ['<a ', '<a href=', '<a "', '<!--', '<a href="', '<script>', '< ']) {
      atOnce(rewrittenPage(part.repeat(100_000), rewrite))
    }
    expect(performance.now() - started).to.be.lessThan(5_000)
  })

  it('gives way to others on a page of 4 MB', async () => {
    const pages = ['<a href="/x">'.repeat(300_000), `<a ${'href="/x" '.repeat(400_000)}>`]
    for (const page of pages) {
      const held = await longestTurn(() => runPaced(rewrittenPage(page, rewrite)))
      expect(held).to.be.lessThan(deadline(40))
    }
  })

  it('leaves a value that is too long for a URL as it is', () => {
    const page = `<a href="/${'&amp;'.repeat(20_000)}">`
    expect(atOnce(rewrittenPage(page, rewrite))).to.equal(page)
  })
})
