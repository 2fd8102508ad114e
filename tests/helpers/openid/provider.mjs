// A real OpenID provider for tests, on this machine alone: `node provider.mjs settings.json`.
// The settings say where it listens, by which client it is asked, and in which file the people are; that file is read
// again at each sign-in, so that a test can change somebody's groups.
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import Provider from "oidc-provider"

const settings = JSON.parse(readFileSync(process.argv[2], "utf8"))
const people = () => JSON.parse(readFileSync(settings.people, "utf8"))
const page = (title, body) => `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>${title}</title>
  <link rel="icon" href="data:,"><body><h1>${title}</h1>${body}</body></html>`

const provider = new Provider(settings.issuer, {
  clients: [{
    client_id: settings.client, client_secret: settings.secret,
    redirect_uris: [`${settings.address}/anonscope/signed-in`],
    post_logout_redirect_uris: [`${settings.address}/anonscope/signed-out`],
  }],
  claims: { openid: ["sub"], profile: ["name"], groups: ["groups"] },
  conformIdTokenClaims: settings.groups_in_userinfo, // else they stand in what the provider signs, too
  cookies: { keys: ["of tests alone"] },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
  findAccount: (_, sub) => {
    const person = people()[sub]
    return person && { accountId: sub, claims: () => ({ sub, name: person.name, groups: person.groups }) }
  },
  interactions: { url: (_, interaction) => `/sign-in/${interaction.uid}` },
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: {
      logoutSource: (ctx, form) => {
        ctx.body = page("Sign out here too?", `${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`)
      },
    },
  },
  renderError: (ctx, out) => { ctx.body = page("Refused", `<pre>${JSON.stringify(out).replaceAll("<", "&lt;")}</pre>`) },
})

provider.use(async (ctx, next) => {
  if (!ctx.path.startsWith("/sign-in/")) return next()
  const { prompt, params, session, grantId } = await provider.interactionDetails(ctx.req, ctx.res)
  if (prompt.name === "consent") {
    const grant = (grantId && await provider.Grant.find(grantId))
      || new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
    grant.addOIDCScope(params.scope)
    const result = { consent: { grantId: await grant.save() } }
    ctx.respond = false
    return provider.interactionFinished(ctx.req, ctx.res, result)
  }
  if (ctx.method === "POST") {
    let body = ""
    for await (const part of ctx.req) body += part
    const accountId = new URLSearchParams(body).get("login")
    const result = people()[accountId]
      ? { login: { accountId } } : { error: "access_denied", error_description: "nobody of that name: <b>secret</b>" }
    ctx.respond = false
    return provider.interactionFinished(ctx.req, ctx.res, result, { mergeWithLastSubmission: false })
  }
  ctx.body = page("Hospital sign-in", `<form method="post"><label>Name <input name="login" autofocus></label>
    <button>Sign in</button></form>`)
})

const { key, certificate, port } = settings
createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, provider.callback())
  .listen(port, "127.0.0.1", () => console.log("ready"))
