ADMISSIBLE = ("ClassicalDedekindReals.sig_forall_dec","ClassicalDedekindReals.sig_not_dec","FunctionalExtensionality.functional_extensionality_dep","Classical_Prop.classic","Epsilon.epsilon_statement")
SCOPES = ("whole", "core", "refutes", "breaks")
