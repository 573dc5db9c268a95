import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CATALOG, startTestApp, type TestApp } from '../../test/support/app.ts'
import { type Browser, enterActive, hiddenFields } from '../../test/support/portal.ts'
import { CHECKING, openRedeemer, type Redeemer } from '../../test/support/redemptions.ts'

let app: TestApp
let tenant: Redeemer

before(async () => {
  app = await startTestApp()
  await app.catalog(CATALOG)
  tenant = await openRedeemer(app, { redemptionMethods: ['publisher', 'file'], redemptionMinimum: 100n })
})
after(() => app.close())

async function openForm(user: string, available: number) {
  await tenant.user(user, available)
  const { browser, base } = await enterActive(app, tenant, user)
  const page = await browser('GET', `${base}/redeem`)
  return { browser, base, page, hidden: hiddenFields(page.text, `${base}/redeem`) }
}

async function follow(browser: Browser, answer: { readonly headers: Headers; readonly text: string }) {
  const to = answer.headers.get('location')
  assert.ok(to !== null, answer.text)
  return { to, ...(await browser('GET', to)) }
}

test('the minimum and maximum are shown up front, and a rejected value stays in its field with the reason', async () => {
  const { browser, base, page, hidden } = await openForm('careful', 4)
  assert.match(page.text, /At least \$1\.00, at most \$4\.00\./)
  for (const [amount, reason] of [
    ['4.01', 'You have $4.00 available.'],
    ['0.50', 'The smallest amount you can redeem is $1.00.'],
    ['1,234', 'Please enter an amount such as 12.50.'],
    ['', 'Please enter an amount such as 12.50.'],
  ] as const) {
    const refused = await browser('POST', `${base}/redeem`, { ...hidden, amount, method: 'publisher' })
    assert.equal(refused.status, 422, amount)
    assert.match(
      refused.text,
      new RegExp(`name="amount" value="${amount}"[^>]*aria-describedby="amount-help amount-fault"`),
    )
    assert.ok(refused.text.includes(`<span class="error" id="amount-fault">${reason}</span>`), amount)
  }
  const strange = await browser('POST', `${base}/redeem`, { ...hidden, amount: '2', method: 'gift_card' })
  assert.match(strange.text, /Please choose one\./)
  assert.deepEqual(await tenant.balances('careful'), { available: 4, redeemed: 0, debt: 0 })
})

test("submitting a form twice redeems only once, and the page shows the redemption's progress", async () => {
  const { browser, base, hidden } = await openForm('twice', 4)
  const form = { ...hidden, amount: '1,50', method: 'publisher' }
  const first = await follow(browser, await browser('POST', `${base}/redeem`, form))
  const second = await follow(browser, await browser('POST', `${base}/redeem`, form))
  assert.equal(first.to, second.to)
  assert.match(first.text, /\$1\.50/)
  assert.match(first.text, /On its way/)
  assert.equal((await tenant.balances('twice')).available, 2.5)
  const twin = await openForm('twin', 4)
  const own = await follow(
    twin.browser,
    await twin.browser('POST', `${base}/redeem`, { ...form, ref: hidden['ref'] ?? '' }),
  )
  assert.notEqual(own.to, first.to, "another user's form is never taken for it")
  const id = first.to.replace(/.*\/(rdm_\w+).*/, '$1')
  await tenant.call('POST', `/redemptions/${id}/outcome`, { status: 'paid', payout_reference: '<b>wire-1</b>' })
  const paid = await browser('GET', `${base}/redemptions/${id}`)
  assert.match(paid.text, /You have been paid\./)
  assert.ok(!paid.text.includes('<b>wire'))
  assert.match((await browser('GET', `${base}/redemptions`)).text, new RegExp(id))
  const { browser: other } = await enterActive(app, tenant, 'onlooker')
  assert.equal((await other('GET', `${base}/redemptions/${id}`)).status, 404)
  assert.equal((await other('POST', `${base}/redemptions/${id}/cancel`, {})).status, 409)
  assert.ok(!(await other('GET', `${base}/redemptions`)).text.includes(id))
})

test('a bank transfer requires a saved account, shown only masked, and can be canceled until it is sent', async () => {
  const { browser, base, page, hidden } = await openForm('banker', 4)
  assert.match(page.text, /value="file"[^>]*disabled/)
  const { type: _, ...account } = CHECKING
  const wrong = await browser('POST', `${base}/redeem/account`, { ...account, routing_number: '021000022' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="routing_number-fault"/)
  assert.match(wrong.text, new RegExp(`value="${CHECKING.account_number}"`), 'the form keeps what the user typed')
  const saved = await follow(browser, await browser('POST', `${base}/redeem/account`, account))
  assert.ok(!saved.text.includes(CHECKING.account_number))
  assert.match(saved.text, /••••6789/)
  const asked = await follow(
    browser,
    await browser('POST', `${base}/redeem`, { ...hidden, amount: '4', method: 'file' }),
  )
  assert.match(asked.text, /Approved/)
  const [path] = asked.to.split('?')
  const cancelled = await follow(browser, await browser('POST', `${path}/cancel`, {}))
  assert.match(cancelled.text, /The amount is available again\./)
  assert.equal((await tenant.balances('banker')).available, 4)
})
