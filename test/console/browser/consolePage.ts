import { readFile } from 'node:fs/promises'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DevTools, Fields } from '../../conformance/browser/devTools.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { deadline } from '../../support/deadlines.ts'

const axeSource = new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url)

const keyCodes: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ArrowDown: 40,
  ArrowUp: 38,
  End: 35,
  Home: 36,
}

/** Maximum wait for an effect on a page, in ms: the first page is slow on a busy machine. */
const longestMs = deadline(15_000)

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + longestMs
  do {
    if (await isSo()) return
    await wait(20)
  } while (Date.now() < end)
  throw new Error(`it did not come about in ${longestMs} ms`)
}

/** Source: Trace Event Format; times in microseconds. */
interface TraceEvent {
  name: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/** Page of the console in a browser, operated with keyboard and mouse. */
export class ConsolePage {
  /** Errors in the console of the page: violated policies, failed requests, exceptions. */
  readonly complaints: string[] = []
  /** URLs requested since the page was opened, preceded by the method. */
  readonly requests: string[] = []
  readonly #trace: TraceEvent[] = []
  #traced: (() => void) | undefined
  readonly #tools: DevTools
  readonly #session: string
  readonly #target: string
  readonly context: string

  private constructor(
    tools: DevTools,
    [session, target]: readonly [session: string, target: string],
    context: string,
  ) {
    this.#tools = tools
    this.#session = session
    this.#target = target
    this.context = context
    tools.listen(session, (method, params) => this.#noted(method, params))
  }

  /**
   * @param context that of another page, whose tabs share storage and channels; absent: a separate
   * one.
   */
  static async open(tools: DevTools, context?: string): Promise<ConsolePage> {
    const browserContextId =
      context ?? String((await tools.send('Target.createBrowserContext'))['browserContextId'])
    const target = { url: 'about:blank', browserContextId }
    const { targetId } = await tools.send('Target.createTarget', target)
    const { sessionId } = await tools.send('Target.attachToTarget', { targetId, flatten: true })
    const page = new ConsolePage(tools, [String(sessionId), String(targetId)], browserContextId)
    for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await page.send(`${domain}.enable`)
    // A page behind another one is rarely rendered.
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true })
    await page.resize(1280)
    return page
  }

  /** Closes the page like a user who closes a tab. */
  async close(): Promise<void> {
    await this.#tools.send('Target.closeTarget', { targetId: this.#target })
  }

  send(method: string, params: Fields = {}): Promise<Fields> {
    return this.#tools.send(method, params, this.#session)
  }

  async goTo(url: string): Promise<void> {
    await this.send('Page.navigate', { url })
  }

  /**
   * Reloads the page; resolves when the new document is loaded, so that following steps do not use
   * the old one.
   */
  async reload(): Promise<void> {
    await this.evaluate('globalThis.isOld = true')
    await this.send('Page.reload')
    await this.until(`globalThis.isOld === undefined && document.readyState === 'complete'`)
  }

  /** Value of an expression in the page. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    // The caller knows the type of its expression.
    return (result as { value: T }).value
  }

  text(): Promise<string> {
    return this.evaluate(`document.body?.innerText ?? ''`)
  }

  /** Waits until the page shows a string. */
  async shows(text: string): Promise<void> {
    await waitUntil(async () => (await this.text()).includes(text)).catch(async () => {
      throw new Error(`the page does not show "${text}" but:\n${await this.text()}`)
    })
  }

  async lacks(text: string): Promise<void> {
    await waitUntil(async () => !(await this.text()).includes(text))
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    await waitUntil(() => this.evaluate<boolean>(`Boolean(${expression})`)).catch(() => {
      throw new Error(`it did not become true: ${expression}`)
    })
  }

  /** Clicks the visible button, link, tab or option with this name. */
  async click(name: string): Promise<void> {
    const found = `(() => {
      const named = [...document.querySelectorAll(
        'button, a, summary, input, [role=tab], [role=option], [role=menuitem], label')]
        .filter((each) => each.checkVisibility() &&
          [each.ariaLabel, each.textContent.trim()].includes(${JSON.stringify(name)}))
      const [first] = named.toReversed()
      if (first === undefined) return undefined
      first.scrollIntoView({ block: 'nearest' })
      const { x, y, width, height } = first.getBoundingClientRect()
      const at = { x: x + width / 2, y: y + height / 2 }
      const hit = document.elementFromPoint(at.x, at.y)
      return first.contains(hit) || hit?.contains(first) ? at : undefined
    })()`
    let place: { x: number; y: number } | undefined
    await waitUntil(async () => {
      // Waits until it stops moving: content moves while a page is loading.
      const [before, now] = [place, await this.evaluate<typeof place>(found)]
      place = now
      return now !== undefined && now.x === before?.x && now.y === before.y
    }).catch(async () => {
      throw new Error(`there is nothing named "${name}" to click in:\n${await this.text()}`)
    })
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.send('Input.dispatchMouseEvent', { type, ...place, button: 'left', clickCount: 1 })
  }

  /** Waits until the page has not changed for a while. */
  async settles(): Promise<void> {
    await this.evaluate(`new Promise((resolve) => {
      const wait = () => setTimeout(() => { observer.disconnect(); resolve() }, 150)
      let timer = wait()
      const observer = new MutationObserver(() => { clearTimeout(timer); timer = wait() })
      observer.observe(document.body, { subtree: true, childList: true })
      setTimeout(resolve, 3_000)
    })`)
  }

  async focus(selector: string): Promise<void> {
    await this.until(`document.querySelector(${JSON.stringify(selector)})`)
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`)
  }

  /** Replaces the content of a field, as if it were typed. */
  async fill(selector: string, text: string): Promise<void> {
    await this.focus(selector)
    await this.evaluate(`document.querySelector(${JSON.stringify(selector)}).select?.()`)
    await this.send('Input.insertText', { text })
  }

  async type(text: string): Promise<void> {
    await this.send('Input.insertText', { text })
  }

  /** Replaces the text of the YAML editor through its own commands. */
  async fillEditor(text: string): Promise<void> {
    const content = `document.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content')`
    await this.until(content)
    await this.evaluate(`${content}.focus()`)
    await this.press('a', 2)
    await this.send('Input.insertText', { text })
  }

  /** Text of the YAML editor, as far as it is rendered. */
  editorText(): Promise<string> {
    return this.evaluate(`[...document.querySelector('.editor').shadowRoot
      .querySelectorAll('.cm-line')].map((each) => each.textContent).join('\\n')`)
  }

  /** Chooses an option of the list with this label. */
  async choose(label: string, option: string): Promise<void> {
    const list = `[...document.querySelectorAll('select')].find((each) =>
      each.ariaLabel === ${JSON.stringify(label)} || each.labels[0]?.innerText.trim() === ${JSON.stringify(label)})`
    await this.until(list)
    await this.evaluate(`(() => {
      const list = ${list}
      const { set } = Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')
      set.call(list, ${JSON.stringify(option)})
      list.dispatchEvent(new Event('change', { bubbles: true }))
    })()`)
  }

  /** @param modifiers bits of the protocol: 1 Alt, 2 Control, 8 Shift. */
  async press(key: string, modifiers = 0): Promise<void> {
    const isText = key.length === 1 && modifiers % 4 === 0
    const code = keyCodes[key] ?? key.toUpperCase().charCodeAt(0)
    const more = {
      key,
      modifiers,
      windowsVirtualKeyCode: code,
      ...(key === 'Enter' ? { text: '\r' } : isText ? { text: key } : {}),
      ...(key === 'a' && modifiers === 2 ? { commands: ['selectAll'] } : {}),
    }
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...more })
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, modifiers })
  }

  async resize(width: number, height = 800): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
    await this.send('Emulation.setDeviceMetricsOverride', metrics)
  }

  async useScheme(scheme: 'light' | 'dark'): Promise<void> {
    const features = [
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]
    await this.send('Emulation.setEmulatedMedia', { features })
  }

  async goOffline(isOffline: boolean): Promise<void> {
    const none = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 }
    await this.send('Network.emulateNetworkConditions', { offline: isOffline, ...none })
  }

  /** Memory of the page's objects after a garbage collection. */
  async usedBytes(): Promise<number> {
    await this.send('HeapProfiler.collectGarbage')
    const { usedSize } = await this.send('Runtime.getHeapUsage')
    return Number(usedSize)
  }

  async photograph(path: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, Buffer.from(String(data), 'base64'))
  }

  /** Violations found by axe in the page with its heading, each with the elements. */
  async violations(): Promise<string[]> {
    // The frame of the console comes before the page itself.
    await this.until(`document.querySelector('h1')`)
    await this.evaluate(`typeof axe === 'undefined' ? (${await axe()}, true) : true`)
    return this.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(
      ({ violations }) => violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ html, any }) => html.slice(0, 160) + ' ' +
          any.map(({ message }) => message).join('; ')).join(' | ')))`)
  }

  /**
   * Processor time of the longest task of the page's main thread during `work`, in milliseconds;
   * other programs of the machine are not counted.
   */
  async longestTask(work: () => Promise<void>): Promise<number> {
    this.#trace.length = 0
    await this.send('Tracing.start', {
      categories: 'toplevel',
      transferMode: 'ReportEvents',
    })
    await work()
    const done = new Promise<void>((resolve) => (this.#traced = resolve))
    await this.send('Tracing.end')
    await done
    const threads = this.#trace.filter(({ name }) => name === 'thread_name')
    const isMain = ({ pid, tid }: TraceEvent) =>
      threads.some(
        (each) => each.pid === pid && each.tid === tid && each.args?.name === 'CrRendererMain',
      )
    const tasks = this.#trace.filter((event) => event.tdur !== undefined && isMain(event))
    if (tasks.length < 10) throw new Error('the trace has no tasks')
    return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0)
  }

  #noted(method: string, params: Fields): void {
    if (method === 'Tracing.dataCollected') this.#trace.push(...(params['value'] as TraceEvent[]))
    if (method === 'Tracing.tracingComplete') this.#traced?.()
    if (method === 'Runtime.exceptionThrown') this.complaints.push(JSON.stringify(params))
    if (method === 'Network.requestWillBeSent') {
      const { url, method: verb } = params['request'] as Record<string, string>
      this.requests.push(`${verb} ${url}`)
    }
    if (method === 'Runtime.consoleAPICalled' && params['type'] === 'error')
      this.complaints.push(JSON.stringify(params['args']))
    if (method !== 'Log.entryAdded') return
    const { level, text, url } = params['entry'] as Record<string, string>
    if (level === 'error') this.complaints.push(`${url}: ${text}`)
  }
}

/** Program of axe as an expression. */
async function axe(): Promise<string> {
  const source = await readFile(axeSource, 'utf8')
  return `(0, eval)(${JSON.stringify(source)})`
}
