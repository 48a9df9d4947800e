import { expect } from 'chai'
import type { Scenario } from '../support/scenario.ts'
import { password, type BrowserContext } from './browserContext.ts'
import type { BrowserPage } from './browserPage.ts'

/** Basic accessibility facts for users without sight or without a mouse. */
const basics = `({
  lang: document.documentElement.lang,
  title: document.title,
  headings: [...document.querySelectorAll('h1')].map((each) => each.textContent),
  landmark: document.querySelectorAll('main').length,
  unlabelled: [...document.querySelectorAll('input:not([type=hidden])')]
    .filter((each) => each.labels.length === 0).map((each) => each.id),
  unnamed: [...document.querySelectorAll('button, a')]
    .filter((each) => each.textContent.trim() === '').length,
  scripts: document.querySelectorAll('script, [onclick], [style], [src]').length,
})`

async function isAccessible(page: BrowserPage, heading: string): Promise<void> {
  expect(await page.evaluate(basics)).to.deep.equal({
    lang: 'en',
    title: heading,
    headings: [heading],
    landmark: 1,
    unlabelled: [],
    unnamed: 0,
    scripts: 0,
  })
  expect(page.complaints).to.deep.equal([])
}

/** Checks that everything is visible in a narrow window, and nothing is wider than the window. */
async function fits(page: BrowserPage, name: string): Promise<void> {
  await page.resize(400)
  const widest = `Math.max(document.documentElement.scrollWidth,
    ...[...document.body.querySelectorAll('*')].map((each) => each.getBoundingClientRect().right))`
  expect(await page.evaluate<number>(widest)).to.be.at.most(400)
  await page.photograph(`${name}-400px`)
  await page.resize(1024)
}

const focused = `(document.activeElement.id || document.activeElement.textContent).trim()`
const key = `document.querySelector('#key').value`

async function openLogin(context: BrowserContext, query = ''): Promise<BrowserPage> {
  const page = await context.page()
  await page.goTo(`${context.url}/login${query}`)
  await page.shows('Log in')
  return page
}

/** Logs in on the pages of the provider. */
async function logInThere(page: BrowserPage, account: string): Promise<void> {
  await page.shows('Sign-in')
  await page.evaluate(`document.querySelector('input[name=login]').focus()`)
  await page.type(account)
  await page.press('Tab')
  await page.type('any')
  await page.press('Enter')
  await page.shows('Authorize')
  await page.evaluate(`document.querySelector('button').click()`)
}

export const loginFlows: readonly Scenario<BrowserContext>[] = [
  {
    name: 'the login page can be read and used by everybody, and keeps its content security policy',
    run: async (context) => {
      const page = await openLogin(context)
      await isAccessible(page, 'Log in')
      await fits(page, 'login')
      const order: string[] = []
      for (let step = 0; step < 4; step++) {
        order.push(await page.evaluate<string>(focused))
        await page.press('Tab')
      }
      expect(order).to.deep.equal(['username', 'password', 'Log in', 'Log in with the company'])
    },
  },
  {
    name: 'from the login page through a real OpenID provider to the signed-in state, by the keyboard',
    run: async (context) => {
      context.know('jane-1', { preferred_username: 'jane', name: 'Jane Roe' })
      const page = await openLogin(context)
      for (let step = 0; step < 3; step++) await page.press('Tab')
      await page.press('Enter')
      await logInThere(page, 'jane-1')
      await page.shows('You are logged in')
      expect(await context.userOf(await page.evaluate<string>(key))).to.equal('jane')
      // The pages of the provider are not checked.
      const own = page.complaints.filter((text) => text.startsWith(context.url))
      expect(own).to.deep.equal([])
      page.complaints.length = 0
      await isAccessible(page, 'You are logged in')
      await fits(page, 'signed-in')
      process.stdout.write(`    screenshot: ${await page.photograph('signed-in')}\n`)
    },
  },
  {
    name: 'with a password, by the keyboard; a command-line client is handed the key',
    run: async (context) => {
      const page = await openLogin(context, '?cli=true')
      await page.type('admin')
      await page.press('Tab')
      await page.type(password)
      await page.press('Enter')
      await page.shows('You are logged in')
      await isAccessible(page, 'You are logged in')
      const made = await page.evaluate<string>(key)
      const link = await page.evaluate<string>(`document.querySelector('#continue').href`)
      expect(link).to.equal(`http://localhost:25843/login?key=${made}`)
      expect(await context.userOf(made)).to.equal('admin')
    },
  },
  {
    name: 'a wrong password is said in an alert, from which there is a way back',
    run: async (context) => {
      const page = await openLogin(context)
      await page.type('admin')
      await page.press('Tab')
      await page.type('wrong')
      await page.press('Enter')
      await page.shows('Login failed')
      const alert = await page.evaluate<string>(
        `document.querySelector('[role=alert]').textContent`,
      )
      expect(alert).to.equal('the user name or the password is wrong')
      // The console logs every page with status 401.
      expect(page.complaints.filter((text) => !text.includes('401'))).to.deep.equal([])
      page.complaints.length = 0
      await isAccessible(page, 'Login failed')
      await fits(page, 'refused')
      await page.press('Tab')
      await page.press('Enter')
      await page.shows('Log in')
    },
  },
  {
    name: 'a page of another site cannot send the form of the login',
    run: async (context) => {
      const page = await context.page()
      const form = `<h1>Other</h1><form method="post" action="${context.url}/auth/password/login">
        <input name="username" value="admin"><input name="password" value="${password}"></form>`
      await page.goTo(`data:text/html,${encodeURIComponent(form)}`)
      await page.shows('Other')
      await page.evaluate(`document.querySelector('form').submit()`)
      await page.shows('Login failed')
    },
  },
]
