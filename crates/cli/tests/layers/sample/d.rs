fn function() {
    println!("{}", crate::a::NAME);
}
