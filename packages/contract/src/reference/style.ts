/** The page's style sheet; it needs nothing from outside. */
export const style = `
:root{color-scheme:light dark;--ground:light-dark(#fff,#15191d);--raised:light-dark(#f4f6f8,#1e2429);--line:light-dark(#d6dce1,#38424a);
--text:light-dark(#1b2126,#e4e9ed);--soft:light-dark(#55616b,#a3afb9);--link:light-dark(#0b5cad,#7db8f5);--mark:light-dark(#8a4b00,#f0b565);--found:light-dark(#ffe27a,#6b5200)}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;font:1rem/1.55 system-ui,sans-serif;color:var(--text);background:var(--ground);overflow-wrap:break-word}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,button:focus-visible,input:focus-visible{outline:3px solid var(--link);outline-offset:2px}
code,pre{font:.875rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{overflow-wrap:anywhere}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;z-index:3;background:var(--ground);padding:.5rem 1rem}
header{padding:1.25rem 1rem .5rem;max-width:90rem;margin:auto}
header h1{margin:0;font-size:1.5rem;line-height:1.25}
header p{margin:.35rem 0;color:var(--soft)}
.find{display:block;position:sticky;top:0;z-index:2;background:var(--ground);border-bottom:1px solid var(--line);padding:.6rem 1rem}
.find div{max-width:88rem;margin:auto;display:flex;gap:.75rem;align-items:center;flex-wrap:wrap}
.find input{flex:1 1 12rem;min-width:0;font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);border-radius:.4rem;padding:.45rem .7rem}
.find output{color:var(--soft);font-size:.875rem}
.find output:empty{display:none}
.find:has(div[hidden]){display:none}
.frame{max-width:90rem;margin:auto;padding:0 1rem 4rem}
main{min-width:0}
nav ul{list-style:none;margin:.25rem 0 .9rem;padding:0}
nav li a{display:block;padding:.28rem .4rem;border-radius:.3rem;text-decoration:none;overflow-wrap:anywhere}
nav li a:hover{background:var(--raised)}
nav b{display:block;font-size:.8rem;color:var(--soft);padding:0 .4rem}
.side{display:none}
.contents{margin:1rem 0;border:1px solid var(--line);border-radius:.4rem;padding:.5rem .75rem}
.contents li a{padding:.45rem .4rem}
.contents details{margin:0}
section{border-top:1px solid var(--line);padding:1.5rem 0 1rem}
section:first-of-type{border-top:0}
h2{font-size:1.3rem;margin:0 0 .75rem;line-height:1.3}
h2.family{margin:2rem 0 0;color:var(--soft);font-size:1rem;letter-spacing:.03em}
h3{font-size:1.15rem;margin:0 0 .5rem;line-height:1.35}
h3 code,h3{font-weight:650}
h3 code{font-size:1.1rem}
h4{font-size:.95rem;margin:1.4rem 0 .4rem}
h3 a,h2 a{color:inherit;text-decoration:none}
h3 a:hover,h2 a:hover{text-decoration:underline}
p{margin:.5rem 0;max-width:75ch}
.endpoint{display:flex;align-items:baseline;gap:.6rem;margin:.7rem 0 0;padding:.45rem .75rem;max-width:none;background:var(--raised);border:1px solid var(--line);border-radius:.4rem}
.method{font-size:.75rem;font-weight:700;letter-spacing:.04em;color:var(--link)}
.also{margin:.3rem 0 0;font-size:.88rem;color:var(--soft);max-width:none}
.also code{font-size:.82rem}
kbd{font:.8rem ui-monospace,monospace;border:1px solid var(--line);border-radius:.25rem;padding:.05rem .35rem}
::highlight(found){background:var(--found)}
tr:target{background:var(--found)}
nav li a[aria-current]{background:var(--raised);box-shadow:inset 3px 0 var(--link);font-weight:600}
.tag{display:inline-block;font-size:.78rem;line-height:1.4;border:1px solid var(--line);border-radius:1rem;padding:.05rem .6rem;margin:0 .35rem .25rem 0;color:var(--soft)}
.tag.own,.tag.write{color:var(--mark);border-color:currentColor}
.scroll{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;width:100%;font-size:.92rem}
tbody tr{scroll-margin-top:5rem}
table:not([data-rows]) td:nth-child(2):not(:last-child){white-space:nowrap}
td a{color:inherit;text-decoration:none}
td a:hover{text-decoration:underline}
th,td{text-align:left;vertical-align:top;padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-size:.8rem;color:var(--soft);font-weight:600}
td:first-child{min-width:8.5rem}
td:nth-child(3):not(:last-child){min-width:13rem}
td:last-child{min-width:11rem;width:99%;padding-right:0}
pre{margin:.5rem 0;padding:.8rem 1rem;background:var(--raised);border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap}
pre code{overflow-wrap:anywhere}
.block{position:relative;margin:.5rem 0;background:var(--raised);border:1px solid var(--line);border-radius:.4rem}
.block pre{margin:2.3rem 0 0;border:0;padding-top:.4rem}
.samples .block{margin:.1rem 0 .75rem}
.samples .block pre{margin-bottom:0}
.copy{position:absolute;top:.45rem;right:.45rem;font:inherit;font-size:.85rem;color:var(--text);background:var(--raised);border:1px solid var(--line);border-radius:.3rem;padding:.25rem .7rem;cursor:pointer}
details{margin:.5rem 0}
summary{cursor:pointer;padding:.3rem 0}
.samples{border:1px solid var(--line);border-radius:.4rem;padding:0 .75rem}
.samples details{margin:0;border-top:1px solid var(--line)}
.samples details:first-child{border-top:0}
.samples details>pre{margin:.1rem 0 .75rem}
.samples.tabbed{border:0;padding:0}
.tabbed summary{display:none}
.tabbed details{border:0}
.languages{display:flex;gap:.25rem}
.languages button{font:inherit;font-size:.88rem;color:var(--soft);background:none;border:1px solid transparent;border-radius:.4rem .4rem 0 0;padding:.3rem .8rem;cursor:pointer}
.languages button[aria-pressed=true]{color:var(--text);background:var(--raised);border-color:var(--line);border-bottom-color:var(--raised);margin-bottom:-1px;z-index:1}
.tabbed .block{margin:0 0 .75rem;border-top-left-radius:0}
[hidden]{display:none!important}
footer{color:var(--soft);font-size:.875rem;border-top:1px solid var(--line);padding-top:1rem;margin-top:2rem}
@media (min-width:60rem){
table[data-rows] td:first-child{white-space:nowrap}
table[data-rows] td:nth-child(2):not(:last-child){min-width:9rem}
.frame{display:grid;grid-template-columns:15rem minmax(0,1fr);gap:2.5rem}
.side{display:block;position:sticky;top:4rem;align-self:start;max-height:calc(100vh - 4.5rem);overflow-y:auto;padding:1.25rem 0 2rem;font-size:.92rem}
.contents{display:none}
.block pre,.samples .block pre{margin:0 4.6rem 0 0;padding-top:.8rem}
}
@media (max-width:40rem){
table,tbody,tr,td{display:block}
thead{position:absolute;left:-99rem}
tr{border-bottom:1px solid var(--line);padding:.45rem 0}
td,td:last-child{border:0;padding:.1rem 0;width:auto}
table:not([data-rows]) td:nth-child(2):not(:last-child){white-space:normal}
td:nth-child(2):not(:last-child){color:var(--soft);font-size:.85rem}
}
@media print{
.find,.side,.contents,.copy,.languages,footer kbd{display:none}
.frame{display:block;padding:0}
body{font-size:10pt}
section{break-inside:auto}
h2,h3,h4{break-after:avoid}
tr,pre{break-inside:avoid}
.block pre,.samples .block pre{margin:0;padding:.5rem}
details:not([data-language])::details-content{content-visibility:visible;display:block}
}
`;
