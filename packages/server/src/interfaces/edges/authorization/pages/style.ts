/** The only style sheet, inlined so that the page fetches nothing else. */
export const style = `
:root{color-scheme:light dark;--ground:#f4f6f8;--card:#fff;--text:#17212b;--soft:#4d5b69;--line:#7b8794;--accent:#0b5cad;--on-accent:#fff;--fault:#b3261e;--fault-ground:#fdecea;--warn:#8a5a00;--warn-ground:#fff6e0}
@media (prefers-color-scheme:dark){:root{--ground:#11171d;--card:#1a222b;--text:#eef2f6;--soft:#b4c0cc;--line:#8593a1;--accent:#7db8f5;--on-accent:#0d1a27;--fault:#ffb4ab;--fault-ground:#3b1d1b;--warn:#f0c060;--warn-ground:#33290f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;padding:1rem;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:32rem;margin:auto 0;padding:1.5rem;background:var(--card);border:1px solid color-mix(in srgb,var(--line) 40%,transparent);border-radius:.75rem}
@media (max-width:26rem){body{padding:0;background:var(--card)}main{margin:0;border:0;border-radius:0;padding:1.25rem 1rem}}
.brand{margin:0 0 1rem;display:flex;gap:.5rem;align-items:center;color:var(--soft);font-weight:600}
.brand svg{width:1.5rem;height:1.5rem;flex:none}
h1{margin:0 0 .25rem;font-size:1.5rem;line-height:1.25}
p{margin:.5rem 0}
.lead,.small{color:var(--soft)}
.small{font-size:.875rem}
a{color:var(--accent)}
dl{margin:1rem 0;display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}
dt{color:var(--soft)}dd{margin:0}
fieldset{margin:1.25rem 0 0;padding:0;border:0;min-width:0}
legend{padding:0;font-weight:600;margin-bottom:.25rem}
label{display:block;font-weight:600;margin-top:1rem}
.choice{display:grid;grid-template-columns:auto 1fr;gap:.75rem;align-items:start;font-weight:400;margin:0;padding:.625rem 0;min-height:2.75rem;cursor:pointer}
.choice strong{display:block}
.choice span span{color:var(--soft)}
.warning span span{color:inherit}
.choice input{width:1.25rem;height:1.25rem;margin:.125rem 0 0;accent-color:var(--accent)}
.plants{margin:0 0 0 2rem;padding:0;list-style:none;max-height:16rem;overflow:auto}
.plants li{border-top:1px solid color-mix(in srgb,var(--line) 30%,transparent)}
@supports selector(:has(*)){fieldset:has(input[value=all]:checked) .plants{display:none}}
.plants li[hidden]{display:none}
.tools{margin:0 0 .5rem 2rem}
@supports selector(:has(*)){fieldset:has(input[value=all]:checked) .tools{display:none}}
.tools label{margin-top:.25rem}
.tools button{margin-right:.75rem}
.purpose q{font-style:italic}
.warning{padding:.625rem .75rem;border:1px solid var(--warn);border-left-width:.25rem;border-radius:.25rem;background:var(--warn-ground)}
[hidden]{display:none!important}
input[type=email],input[type=password],input[type=text],input[type=search]{width:100%;margin-top:.25rem;padding:.625rem .75rem;min-height:2.75rem;font:inherit;color:var(--text);background:var(--card);border:1px solid var(--line);border-radius:.5rem}
button{font:inherit;cursor:pointer}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
.actions button{flex:1 1 8rem;min-height:2.75rem;padding:.5rem 1rem;font-weight:600;border-radius:.5rem;border:1px solid var(--accent);background:transparent;color:var(--accent)}
.actions .main{background:var(--accent);color:var(--on-accent)}
.link{padding:.25rem 0;border:0;background:none;color:var(--accent);text-decoration:underline;min-height:1.75rem}
.who{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:center;margin:1rem 0 0}
.who form{display:inline}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.fault{margin:1rem 0 0;padding:.75rem 1rem;border-left:.25rem solid var(--fault);background:var(--fault-ground);border-radius:.25rem}
code{font-size:.875rem}
nav{margin:1rem 0;display:flex;flex-wrap:wrap;gap:.25rem .5rem;justify-content:center;font-size:.875rem}
nav a,nav span{padding:.375rem}
`.trim();
