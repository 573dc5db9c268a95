// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schemas, which the compiler cannot know
type Ask = (operationId: string, address: string, body?: object) => Promise<any>

/** Makes the calls that operators use to read and change data across all publishers. */
export async function tellOfOperators(ask: Ask): Promise<void> {
  await ask('getOverview', '/operator/overview')
  await ask('readCatalogCsv', '/operator/catalog/csv', { csv: 'name,category_id\nAcme,1' })
  await ask('listLedgerAccounts', '/operator/ledger/accounts')
  await ask('listReceivables', '/operator/receivables')
  await ask('getServiceWork', '/operator/work')
  await ask('listBrokenLogins', '/operator/logins/broken')
  const { content } = await ask('listCatalogOffers', '/operator/offers')
  await ask('getCatalogOffer', `/operator/offers/${content[0].offer_uid}`)
  await ask('listOfferVersions', `/operator/offers/${content[0].offer_uid}/versions`)
  await ask('listCatalogBrands', '/operator/brands')
  await ask('getCatalogBrand', `/operator/brands/${content[0].brand_uid}`)
  await ask('listCatalogCategories', '/operator/categories')
  await ask('listCatalogStores', '/operator/stores')
  await ask('listBudgets', '/operator/budgets')
  await ask('listAllUsers', '/operator/users')
  await ask('listAllTransactions', '/operator/transactions')
  await ask('listAllDeliveries', '/operator/deliveries')
  await ask('listAllEndpoints', '/operator/endpoints')
  await ask('searchEverything', '/operator/search?q=market')
  const { publisher_id } = await ask('createPublisher', '/operator/publishers', {
    name: 'Acme',
    environment: 'sandbox',
  })
  await ask('listPublishers', '/operator/publishers?search_text=acme')
  const address = `/operator/publishers/${publisher_id}`
  await ask('getPublisher', address)
  await ask('changePublisher', address, { share_percent: 20 })
  await ask('addPublisherCurrency', `${address}/currencies`, { currency: 'EUR' })
  const redirect_uri = 'https://app.example/linked'
  await ask('allowReturnAddress', `${address}/return-addresses`, { redirect_uri })
  await ask('disallowReturnAddress', `${address}/return-addresses?value=${encodeURIComponent(redirect_uri)}`)
  const split = { fee_percent: 10, share_percent: 20, commission_percent: 5 }
  await ask('previewPublisherSplit', '/operator/publishers/preview', split)
  const { key_id } = await ask('createKey', `${address}/keys`, {})
  await ask('listKeys', `${address}/keys`)
  await ask('revokeKey', `${address}/keys/${key_id}`)
  const terms = { publisher_id, url: 'https://example.com/own', revision: '2', required_from: '2999-01-01T00:00:00Z' }
  await ask('previewTerms', '/operator/terms/preview', { publisher_id })
  await ask('publishTerms', '/operator/terms', terms)
  await ask('listPublishedTerms', '/operator/terms')
}
