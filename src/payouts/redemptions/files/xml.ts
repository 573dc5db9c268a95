import { XMLParser, XMLValidator } from 'fast-xml-parser'

/** An element: lists of children by name, its own text, and attributes whose names have a leading `@`. */
export type XmlElement = { readonly [name: string]: unknown }

export type XmlDocument = {
  readonly root: XmlElement
  readonly rootName: string
  /** The root's start tag, which declares the version of the message. */
  readonly startTag: string
  readonly findLine: (element: XmlElement) => number
}

const TEXT = '#text'
const ATTRIBUTE = '@'

const parser = new XMLParser({
  alwaysCreateTextNode: true,
  attributeNamePrefix: ATTRIBUTE,
  captureMetaData: true,
  // Without a DTD, only numeric character references and the named entities of XML and HTML can occur.
  htmlEntities: true,
  ignoreAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  // Deeper than any bank message, but below the parser's own limit.
  maxNestedTags: 40,
  parseTagValue: false,
  removeNSPrefix: true,
  textNodeName: TEXT,
  // Whitespace next to a CDATA section is part of the text.
  trimValues: false,
})
// The library's types wrongly describe an object that wraps the symbol.
const metadata = XMLParser.getMetaDataSymbol() as unknown as symbol

/**
 * Parses a document, or returns the reason why it cannot be read. Rejects malformed documents and any DTD, because a
 * DTD's entities can expand without limit or include local files, and no bank message needs one.
 */
export function readXml(text: string): XmlDocument | { readonly line: number; readonly message: string } {
  const source = text.replace(/\r\n?/g, '\n')
  const declaration = source.search(/<!(DOCTYPE|ENTITY)/i)
  if (declaration >= 0) {
    return {
      line: source.slice(0, declaration).split('\n').length,
      message: 'The XML contains a document type declaration, which is not accepted.',
    }
  }
  const valid = XMLValidator.validate(source)
  if (valid !== true) return { line: valid.err.line || 1, message: 'The XML is not well-formed.' }
  const roots = parsed(source)
  const [rootName = '', ...others] = Object.keys(roots ?? {}).filter((name) => name !== TEXT)
  const root = roots === null ? undefined : findChildren(roots, rootName)[0]
  if (root === undefined || others.length > 0) return { line: 1, message: 'The XML cannot be parsed.' }
  const begins = getStart(root)
  return {
    root,
    rootName,
    startTag: source.slice(begins, source.indexOf('>', begins)),
    findLine: createLineFinder(source),
  }
}

/**
 * Returns null if the parser rejects a well-formed document because of excessive nesting or names reserved in
 * JavaScript.
 */
function parsed(source: string): XmlElement | null {
  try {
    return parser.parse(source)
  } catch {
    return null
  }
}

/** Returns a function that computes an element's line number from its start position. */
function createLineFinder(source: string): (element: XmlElement) => number {
  const ends: number[] = []
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) ends.push(at)
  return (element) => {
    const begins = getStart(element)
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < begins) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

function getStart(element: XmlElement): number {
  const { startIndex = 0 } =
    (element as { readonly [key: symbol]: { startIndex?: number } | undefined })[metadata] ?? {}
  return startIndex
}

/** Returns the direct children with the given name, whatever their namespace prefix. */
export function findChildren(parent: XmlElement, name: string): readonly XmlElement[] {
  const children = Object.hasOwn(parent, name) ? parent[name] : undefined
  return Array.isArray(children) ? children : []
}

/** Returns the first element at the end of a path of names. */
export function findElement(parent: XmlElement, ...path: readonly string[]): XmlElement | null {
  let element: XmlElement | null = parent
  for (const name of path) element = element === null ? null : (findChildren(element, name)[0] ?? null)
  return element
}

/** Returns the text at the end of a path, or null if it is empty or missing. */
export function findText(parent: XmlElement, ...path: readonly string[]): string | null {
  return toNonEmpty(findElement(parent, ...path)?.[TEXT])
}

export function findAttribute(element: XmlElement, name: string): string | null {
  return toNonEmpty(element[ATTRIBUTE + name])
}

function toNonEmpty(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
